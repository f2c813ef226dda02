/* Promotions, conversions and wrapping, as the standard (and gcc, where it may choose) says. */
extern void __VERIFIER_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
#define check(c) if (!(c)) __VERIFIER_error()
int main() {
  unsigned u = 0; signed char c = 127; unsigned char uc = 255; short s = -1; long long ll = 1;
  check(u - 1 == 4294967295u); check(u - 1 > 0); c++; check(c == -128); uc += 1; check(uc == 0);
  check((unsigned)s == 4294967295u); check(s < u + 1 == 0); check((unsigned short)s == 65535);
  check(-7 / 2 == -3 && -7 % 2 == -1 && 7 / -2 == -3 && 7 % -2 == 1);
  check((ll << 40) / 1024 == 1 << 30); check((char)200 == -56); check((_Bool)256 == 1);
  unsigned char x = __VERIFIER_nondet_uchar();
  check((x & 15) < 16); check((x & ~15) + (x & 15) == x); check((x >> 4) == x / 16);
  check((unsigned char)(x << 1) == (2 * x) % 256); check((x | 1) >= x); check((x ^ x) == 0);
  check((unsigned char)~x == 255 - x);
  return 0;
}
