/* Floating point: conversions, comparisons, rounding. */
extern double __VERIFIER_nondet_double(void);
extern int __VERIFIER_nondet_int(void);

static double clamp(double x, double low, double high) { return x < low ? low : x > high ? high : x; }

int main(void) {
  double d = __VERIFIER_nondet_double();
  int n = __VERIFIER_nondet_int();
  float f = (float)d;
  double back = f;
  double sum = d + 0.1;
  double product = d * 3.0 - n;
  float single = f * 0.1f;
  double ratio = n / 3.0;
  double inside = clamp(d, -8.0, 8.0);
  int whole = (int)inside;
  unsigned rounded = (unsigned)(inside + 8.5);
  double from_int = n;
  float from_long = (float)(long)n;
  int less = d < 1.5;
  int same = back == d;
  int nan = sum != sum;
  double negated = -d;
  if (d >= 0) sum = sum / 2;
  else sum = 0;
  return whole + (int)rounded + less + same + nan + (product > ratio) + (single < from_int) + (from_long > negated);
}
