extern int __VERIFIER_nondet_int(void);
int down(int n) { if (n <= 0) return 0; return down(n - 2) + 1; }
int main() { int n = __VERIFIER_nondet_int(); assert(down(n) < 3); }
