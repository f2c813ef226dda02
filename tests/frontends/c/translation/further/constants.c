/* A constant that is converted. */
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  double constant = -3, ratio = n / 2.0;
  int less = constant < ratio;
  return less;
}
