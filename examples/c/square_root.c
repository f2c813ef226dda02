/* Heron's method: four rounds, from any start between 1 and 2, find the root of 2 to two digits.
   Proved for every double, rounding included. */
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_error(void);

int main(void) {
    double root = __VERIFIER_nondet_double();
    if (!(root >= 1.0 && root <= 2.0)) return 0;
    for (int round = 0; round < 4; round++)
        root = (root + 2.0 / root) / 2.0;
    if (root < 1.405 || root > 1.425) __VERIFIER_error();
    return 0;
}
