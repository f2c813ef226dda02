extern void __VERIFIER_error(void);
struct inner { int v[2]; unsigned f : 3; signed g : 3; };
struct outer { char tag; struct inner in; } table[2] = { { 'a', { { 1, 2 }, 9, 5 } }, { .in.v[1] = 4 } };
struct outer make(int n) { struct outer o = table[0]; o.in.v[1] = n; return o; }
int grid[3][4];
int main() {
  if (table[0].in.f != 1 || table[0].in.g != -3 || table[1].in.v[1] != 4) __VERIFIER_error();
  struct outer copy = make(7);
  copy.in.v[0]++;
  if (copy.in.v[0] != 2 || copy.in.v[1] != 7 || copy.tag != 'a' || table[0].in.v[0] != 1) __VERIFIER_error();
  for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) grid[i][j] = i * 4 + j;
  if (grid[2][1] != 9 || make(3).in.v[1] != 3) __VERIFIER_error();
  return 0;
}
