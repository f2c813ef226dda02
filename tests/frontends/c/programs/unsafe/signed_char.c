extern char __VERIFIER_nondet_char(void);
int main() { char c = __VERIFIER_nondet_char(); c = c + 100; assert(c > -100); }
