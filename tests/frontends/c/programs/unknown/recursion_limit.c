/* Safe, but only below the recursion limit: nobody may say so. */
extern int __VERIFIER_nondet_int(void);
int count(int n) { if (n <= 0) return 0; return count(n - 1) + 1; }
int main() { int n = __VERIFIER_nondet_int(); assert(count(n) >= 0); }
