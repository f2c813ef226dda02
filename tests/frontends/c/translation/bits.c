/* Bit operations and shifts. */
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);

int main(void) {
  unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
  unsigned long long wide = __VERIFIER_nondet_ulonglong();
  int sign = __VERIFIER_nondet_int();
  unsigned both = a & b;
  unsigned either = a | b;
  unsigned one = a ^ b;
  unsigned none = ~a;
  unsigned left = a << (b & 31);
  unsigned right = a >> (b % 32);
  int arithmetic = sign >> 3;
  unsigned long long high = wide >> 40;
  int count = 0;
  unsigned rest = a;
  while (rest) {
    count += rest & 1;
    rest >>= 1;
  }
  a |= 0x80;
  b &= ~1u;
  wide ^= high << 3;
  left = (left << 1) | (left >> 31);
  return (int)(both + either + one + none + right) + arithmetic + count;
}
