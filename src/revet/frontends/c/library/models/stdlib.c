static unsigned long long revet_number(const char *s, char **end, int base, unsigned long long most,
                                       unsigned long long least) {
  const char *p = s;
  unsigned long long value = 0, limit;
  int negative = 0, any = 0, over = 0, digit;
  if (base < 0 || base == 1 || base > 36) { revet_errno(22); return 0; }
  while (*p == ' ' || (*p >= 9 && *p <= 13)) p++;
  if (*p == '-') { negative = 1; p++; } else if (*p == '+') p++;
  if ((base == 0 || base == 16) && p[0] == '0' && (p[1] == 'x' || p[1] == 'X') && revet_digit(p[2]) < 16) {
    p += 2;
    base = 16;
  }
  if (base == 0) base = *p == '0' ? 8 : 10;
  limit = negative ? least : most;
  for (digit = revet_digit(*p); digit < base; digit = revet_digit(*p)) {
    any = 1;
    if (value > (limit - digit) / base) over = 1;
    else value = value * base + digit;
    p++;
  }
  if (end) *end = (char *)(any ? p : s);
  if (over) { revet_errno(34); return limit; }
  return negative ? 0 - value : value;
}

static int revet_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return 99;
}

long strtol(const char *s, char **end, int base) {
  return (long)revet_number(s, end, base, __LONG_MAX__, (unsigned long long)__LONG_MAX__ + 1);
}

long long strtoll(const char *s, char **end, int base) {
  return (long long)revet_number(s, end, base, __LONG_LONG_MAX__, (unsigned long long)__LONG_LONG_MAX__ + 1);
}

unsigned long strtoul(const char *s, char **end, int base) {
  return (unsigned long)revet_number(s, end, base, (unsigned long)-1, (unsigned long)-1);
}

unsigned long long strtoull(const char *s, char **end, int base) {
  return revet_number(s, end, base, (unsigned long long)-1, (unsigned long long)-1);
}

long long strtoimax(const char *s, char **end, int base) { return strtoll(s, end, base); }

unsigned long long strtoumax(const char *s, char **end, int base) { return strtoull(s, end, base); }

int atoi(const char *s) { return (int)strtol(s, 0, 10); }

long atol(const char *s) { return strtol(s, 0, 10); }

long long atoll(const char *s) { return strtoll(s, 0, 10); }

int abs(int x) { return x < 0 ? -x : x; }

long labs(long x) { return x < 0 ? -x : x; }

long long llabs(long long x) { return x < 0 ? -x : x; }

long long imaxabs(long long x) { return x < 0 ? -x : x; }

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  char *a = base, c;
  size_t i, j, k;
  for (i = 1; i < count; i++)
    for (j = i; j > 0 && compare(a + (j - 1) * size, a + j * size) > 0; j--)
      for (k = 0; k < size; k++) {
        c = a[(j - 1) * size + k];
        a[(j - 1) * size + k] = a[j * size + k];
        a[j * size + k] = c;
      }
}

void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *)) {
  size_t low = 0, high = count, middle;
  const char *a = base;
  int order;
  while (low < high) {
    middle = (low + high) / 2;
    order = compare(key, a + middle * size);
    if (order == 0) return (void *)(a + middle * size);
    if (order < 0) high = middle; else low = middle + 1;
  }
  return 0;
}

int *__errno_location(void) { static int revet_errno_value; return &revet_errno_value; }

static int *revet_seeds(void) { static int count; return &count; }

void srand(unsigned seed) { ++*revet_seeds(); }

int rand(void) {
  int r;
  if (*revet_seeds() == 0) *revet_seeds() = 1;
  r = *revet_seeds() > 1 ? __VERIFIER_nondet_revet_again() : __VERIFIER_nondet_revet_input_int();
  __VERIFIER_assume(r >= 0);
  return r;
}

long random(void) { return rand(); }

long lrand48(void) { return rand(); }

long mrand48(void) { return __VERIFIER_nondet_revet_input_int(); }

double drand48(void) {
  double r = __VERIFIER_nondet_revet_input_double();
  __VERIFIER_assume(r >= 0.0 && r < 1.0);
  return r;
}

char *getenv(const char *name) {
  size_t n = __VERIFIER_nondet_revet_input_size();
  char *text;
  __revet_require(strlen(name) + 1);
  if (n == 0) return 0;
  __VERIFIER_assume(n <= 131072);
  text = malloc(n);
  if (!text) return 0;
  text[n - 1] = 0;
  return text;
}

unsigned htonl(unsigned x) {
  return x << 24 | (x & 65280u) << 8 | (x >> 8 & 65280u) | x >> 24;
}

unsigned ntohl(unsigned x) { return htonl(x); }

unsigned short htons(unsigned short x) { return (unsigned short)(x << 8 | x >> 8); }

unsigned short ntohs(unsigned short x) { return htons(x); }

static const char *revet_word(const char *s, const char *word) {
  while (*word && (*s == *word || *s == *word - 32)) { s++; word++; }
  return *word ? 0 : s;
}

static const char *revet_exponent(const char *s, char small) {
  const char *p = s;
  if (*p != small && *p != small - 32) return s;
  p++;
  if (*p == '+' || *p == '-') p++;
  if (*p < '0' || *p > '9') return s;
  while (*p >= '0' && *p <= '9') p++;
  return p;
}

static const char *revet_digits(const char *s, int base, int *any, int *nonzero) {
  for (; revet_digit(*s) < base; s++) {
    *any = 1;
    if (*s != '0') *nonzero = 1;
  }
  return s;
}

double strtod(const char *s, char **end) {
  const char *p = s, *q;
  int negative = 0, any = 0, nonzero = 0, base = 10;
  double r;
  while (*p == ' ' || (*p >= 9 && *p <= 13)) p++;
  if (*p == '-') { negative = 1; p++; } else if (*p == '+') p++;
  if ((q = revet_word(p, "infinity")) != 0 || (q = revet_word(p, "inf")) != 0) {
    if (end) *end = (char *)q;
    return negative ? -__builtin_inf() : __builtin_inf();
  }
  if ((q = revet_word(p, "nan")) != 0) {
    if (*q == '(') {
      for (p = q + 1; revet_digit(*p) < 36 || *p == '_'; p++) ;
      if (*p == ')') q = p + 1;
    }
    if (end) *end = (char *)q;
    return __builtin_nan("");
  }
  if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X')
      && (revet_digit(p[2]) < 16 || (p[2] == '.' && revet_digit(p[3]) < 16))) {
    base = 16;
    p += 2;
  }
  p = revet_digits(p, base, &any, &nonzero);
  if (*p == '.' && (any || revet_digit(p[1]) < base)) p = revet_digits(p + 1, base, &any, &nonzero);
  if (!any) {
    if (end) *end = (char *)s;
    return 0;
  }
  p = revet_exponent(p, base == 16 ? 'p' : 'e');
  if (end) *end = (char *)p;
  if (!nonzero) return negative ? -0.0 : 0.0;
  revet_errno_computed();
  r = __VERIFIER_nondet_revet_value();
  __VERIFIER_assume(negative ? r <= 0 : r >= 0);
  return r;
}

float strtof(const char *s, char **end) { return (float)strtod(s, end); }

double atof(const char *s) { return strtod(s, 0); }

void *aligned_alloc(size_t alignment, size_t size) { return malloc(size); }

void *reallocarray(void *old, size_t count, size_t size) {
  if (size && count > (size_t)-1 / size) { revet_errno(12); return 0; }
  return realloc(old, count * size);
}

int atexit(void (*handler)(void)) { return revet_exit_handlers(handler); }

int revet_exit_handlers(void (*handler)(void)) {
  static void (*handlers[32])(void);
  static int count;
  if (handler) {
    if (count == 32) revet_beyond();
    handlers[count] = handler;
    count++;
    return 0;
  }
  while (count > 0) {
    count--;
    handlers[count]();
  }
  return 0;
}

_Noreturn static void revet_beyond(void) { }
