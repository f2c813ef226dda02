extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error() {}
int square(int n) { return n * n; }
int main() {
  int x = __VERIFIER_nondet_int(), y;
  unsigned char c = __VERIFIER_nondet_uchar();
  if (x > 3 && x < 100 && square(x) - c == 30 && y == x + 1) reach_error();
  return 0;
}
