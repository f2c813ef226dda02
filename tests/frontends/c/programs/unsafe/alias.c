extern void __VERIFIER_error(void);
extern int __VERIFIER_nondet_int(void);
void zero(int *p, int *q) { *p = 1; *q = 0; if (!*p) __VERIFIER_error(); }
int main() { int a, b; zero(&a, __VERIFIER_nondet_int() ? &b : &a); return 0; }
