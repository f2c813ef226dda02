double fdim(double x, double y) { return x != x || y != y ? x + y : x > y ? x - y : 0; }

double modf(double x, double *whole) {
  double w = __builtin_trunc(x);
  *whole = w;
  return __builtin_copysign(w == x ? 0 : x - w, x);
}

double frexp(double x, int *exponent) {
  int n = 0;
  if (x != x || x == 0 || x - x != 0) { *exponent = 0; return x; }
  while (__builtin_fabs(x) >= 1) { x /= 2; n++; }
  while (__builtin_fabs(x) * 2 < 1) { x *= 2; n--; }
  *exponent = n;
  return x;
}

double difftime(long a, long b) { /* rounded once */
  const long most = sizeof(long) == 4 ? 2147483647 : 1L << 53;
  if (a >= -most && a <= most && b >= -most && b <= most) return (double)a - (double)b;
  return (double)((long double)a - (long double)b);
}

static double revet_value(double low, double high) {
  double r = __VERIFIER_nondet_revet_value();
  __VERIFIER_assume(r >= low && r <= high);
  return r;
}

static double revet_signed(double x) {
  double r = __VERIFIER_nondet_revet_value();
  __VERIFIER_assume(x > 0 ? r >= 0 : r <= 0);
  return r;
}

double sin(double x) {
  revet_errno_computed();
  return x == 0 ? x : x - x != 0 ? x - x : revet_value(-1, 1);
}

double cos(double x) {
  revet_errno_computed();
  return x == 0 ? 1 : x - x != 0 ? x - x : revet_value(-1, 1);
}

double tan(double x) {
  revet_errno_computed();
  return x == 0 ? x : x - x != 0 ? x - x : revet_value(-__builtin_inf(), __builtin_inf());
}

double asin(double x) {
  revet_errno_computed();
  return x == 0 ? x : x >= -1 && x <= 1 ? revet_value(-2, 2) : __builtin_nan("");
}

double acos(double x) {
  revet_errno_computed();
  return x == 1 ? 0 : x >= -1 && x <= 1 ? revet_value(0, 4) : __builtin_nan("");
}

double atan(double x) {
  revet_errno_computed();
  return x == 0 || x != x ? x : revet_value(-2, 2);
}

double atan2(double y, double x) {
  revet_errno_computed();
  return x != x || y != y ? x + y : revet_value(-4, 4);
}

double sinh(double x) {
  revet_errno_computed();
  return x == 0 || x - x != 0 ? x : revet_signed(x);
}

double cosh(double x) {
  revet_errno_computed();
  return x == 0 ? 1 : x != x ? x : revet_value(1, __builtin_inf());
}

double tanh(double x) {
  revet_errno_computed();
  return x == 0 || x != x ? x : revet_value(-1, 1);
}

double asinh(double x) {
  revet_errno_computed();
  return x == 0 || x - x != 0 ? x : revet_signed(x);
}

double acosh(double x) {
  revet_errno_computed();
  return x == 1 ? 0 : x > 1 ? revet_value(0, __builtin_inf()) : __builtin_nan("");
}

double atanh(double x) {
  revet_errno_computed();
  return x == 0 ? x : x >= -1 && x <= 1 ? revet_signed(x) : __builtin_nan("");
}

double exp(double x) {
  revet_errno_computed();
  return x == 0 ? 1 : x != x ? x : revet_value(0, __builtin_inf());
}

double exp2(double x) {
  revet_errno_computed();
  return x == 0 ? 1 : x != x ? x : revet_value(0, __builtin_inf());
}

double expm1(double x) {
  revet_errno_computed();
  return x == 0 || x != x ? x : revet_value(-1, __builtin_inf());
}

static double revet_logarithm(double x) {
  revet_errno_computed();
  if (x == 1) return 0;
  return x >= 0 ? revet_value(-__builtin_inf(), __builtin_inf()) : __builtin_nan("");
}

double log(double x) { return revet_logarithm(x); }

double log2(double x) { return revet_logarithm(x); }

double log10(double x) { return revet_logarithm(x); }

double log1p(double x) {
  revet_errno_computed();
  if (x == 0) return x;
  return x >= -1 ? revet_value(-__builtin_inf(), __builtin_inf()) : __builtin_nan("");
}

double pow(double x, double y) {
  revet_errno_computed();
  return y == 0 || x == 1 ? 1 : x != x || y != y ? x + y : __VERIFIER_nondet_revet_value();
}

double cbrt(double x) {
  revet_errno_computed();
  return x == 0 || x - x != 0 ? x : revet_signed(x);
}

double hypot(double x, double y) {
  double inf = __builtin_inf();
  revet_errno_computed();
  if (x == inf || x == -inf || y == inf || y == -inf) return inf;
  return x != x || y != y ? x + y : revet_value(0, inf);
}

double erf(double x) {
  revet_errno_computed();
  return x == 0 || x != x ? x : revet_value(-1, 1);
}

double erfc(double x) {
  revet_errno_computed();
  return x != x ? x : revet_value(0, 2);
}

double tgamma(double x) {
  revet_errno_computed();
  return x != x ? x : __VERIFIER_nondet_revet_value();
}

long lround(double x) { return (long)__builtin_round(x); }

long long llround(double x) { return (long long)__builtin_round(x); }

long lrint(double x) { return (long)__builtin_rint(x); }

long long llrint(double x) { return (long long)__builtin_rint(x); }

int ilogb(double x) {
  int n;
  if (x == 0 || x != x) { revet_errno(33); return -__INT_MAX__ - 1; }
  if (x - x != 0) { revet_errno(33); return __INT_MAX__; }
  frexp(x, &n);
  return n - 1;
}

double logb(double x) {
  int n;
  if (x == 0) { revet_errno_computed(); return -__builtin_inf(); }
  if (x - x != 0) return x * x;
  frexp(x, &n);
  return n - 1;
}

double nextafter(double x, double y) {
  union { double value; unsigned long long bits; } u;
  if (x != x || y != y) return x + y;
  if (x == y) return y;
  u.value = x;
  if (x == 0) { u.bits = 1; u.value = __builtin_copysign(u.value, y); }
  else if ((x < y) == (x > 0)) u.bits++;
  else u.bits--;
  if (u.value - u.value != 0 || __builtin_fabs(u.value) < 0x1p-1022) revet_errno(34);
  return u.value;
}

float nextafterf(float x, float y) {
  union { float value; unsigned bits; } u;
  if (x != x || y != y) return x + y;
  if (x == y) return y;
  u.value = x;
  if (x == 0) { u.bits = 1; u.value = __builtin_copysignf(u.value, y); }
  else if ((x < y) == (x > 0)) u.bits++;
  else u.bits--;
  if (u.value - u.value != 0 || __builtin_fabsf(u.value) < 0x1p-126f) revet_errno(34);
  return u.value;
}

int __fpclassify(double x) { return __builtin_fpclassify(0, 1, 4, 3, 2, x); }

int __fpclassifyf(float x) { return __builtin_fpclassify(0, 1, 4, 3, 2, x); }

int __fpclassifyl(long double x) { return __builtin_fpclassify(0, 1, 4, 3, 2, x); }

int revet_truth___builtin_signbit(double x) { return __builtin_copysign(1, x) < 0; }

int revet_builtin_signbit(double x) { return revet_any_truth(revet_truth___builtin_signbit(x)); }

int revet_truth___signbit(double x) { return __builtin_copysign(1, x) < 0; }

int __signbit(double x) { return revet_any_truth(revet_truth___signbit(x)); }

int revet_truth___builtin_isinf(double x) { return __builtin_isinf_sign(x) != 0; }

int revet_builtin_isinf(double x) { return revet_any_truth(revet_truth___builtin_isinf(x)); }

int revet_truth_isinf(double x) { return __builtin_isinf_sign(x) != 0; }

int isinf(double x) { return revet_any_truth(revet_truth_isinf(x)); }

int revet_truth___builtin_signbitf(float x) { return __builtin_copysignf(1, x) < 0; }

int revet_builtin_signbitf(float x) { return revet_any_truth(revet_truth___builtin_signbitf(x)); }

int revet_truth___signbitf(float x) { return __builtin_copysignf(1, x) < 0; }

int __signbitf(float x) { return revet_any_truth(revet_truth___signbitf(x)); }

int revet_truth___builtin_isinff(float x) { return __builtin_isinf_sign(x) != 0; }

int revet_builtin_isinff(float x) { return revet_any_truth(revet_truth___builtin_isinff(x)); }

int revet_truth_isinff(float x) { return __builtin_isinf_sign(x) != 0; }

int isinff(float x) { return revet_any_truth(revet_truth_isinff(x)); }

int revet_truth___builtin_signbitl(long double x) { return __builtin_copysignl(1, x) < 0; }

int revet_builtin_signbitl(long double x) { return revet_any_truth(revet_truth___builtin_signbitl(x)); }

int revet_truth___signbitl(long double x) { return __builtin_copysignl(1, x) < 0; }

int __signbitl(long double x) { return revet_any_truth(revet_truth___signbitl(x)); }

int revet_truth___builtin_isinfl(long double x) { return __builtin_isinf_sign(x) != 0; }

int revet_builtin_isinfl(long double x) { return revet_any_truth(revet_truth___builtin_isinfl(x)); }

int revet_truth_isinfl(long double x) { return __builtin_isinf_sign(x) != 0; }

int isinfl(long double x) { return revet_any_truth(revet_truth_isinfl(x)); }
