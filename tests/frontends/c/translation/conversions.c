/* Conversions between integer types, and the usual arithmetic conversions. */
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);

int main(void) {
  int i = __VERIFIER_nondet_int();
  unsigned u = __VERIFIER_nondet_uint();
  long l = __VERIFIER_nondet_long();
  unsigned char c = __VERIFIER_nondet_uchar();
  short s = __VERIFIER_nondet_short();
  signed char narrow = (signed char)i;
  unsigned char wrapped = (unsigned char)(c + 200);
  unsigned short half = (unsigned short)l;
  long widened = s;
  unsigned long zeroed = u;
  unsigned mixed = i + u;
  _Bool truth = i;
  int compared = i < (int)u;
  int unsigned_compared = (unsigned)i < u;
  unsigned quotient = u / (c + 1u);
  int remainder = s % (c + 1);
  c += 100;
  s = (short)(s * 3);
  u -= 7;
  u = u * 5 + 1;
  l = (long)(int)l;
  if (c > 100) narrow = (signed char)c;
  else wrapped--;
  half++;
  return truth + compared + unsigned_compared + (int)(widened + (long)zeroed + mixed + quotient + half) + remainder;
}
