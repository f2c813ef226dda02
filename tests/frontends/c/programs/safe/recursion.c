extern void __VERIFIER_error(void);
int even(int n);
int odd(int n) { return n == 0 ? 0 : even(n - 1); }
int even(int n) { if (n == 0) return 1; return odd(n - 1); }
void store(int *into, int n) { int mine = n; if (n > 0) store(&mine, n - 1); *into = mine + 1; }
int main() {
  int r;
  if (!even(4)) __VERIFIER_error();
  store(&r, 3);
  if (r != 4) __VERIFIER_error();
  return 0;
}
