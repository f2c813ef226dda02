static int revet_any_of_sign(int sign) {
  int result;
  if (sign == 0) return 0;
  result = __VERIFIER_nondet_revet_sign();
  __VERIFIER_assume(sign < 0 ? result < 0 : result > 0);
  return result;
}

size_t strlen(const char *s) { size_t n = 0; while (s[n]) n++; return n; }

size_t strnlen(const char *s, size_t most) { size_t n = 0; while (n < most && s[n]) n++; return n; }

int revet_sign_memcmp(const void *s, const void *t, size_t n) {
  const unsigned char *a = s, *b = t;
  size_t i;
  for (i = 0; i < n; i++)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

int memcmp(const void *s, const void *t, size_t n) { return revet_any_of_sign(revet_sign_memcmp(s, t, n)); }

int revet_sign_bcmp(const void *s, const void *t, size_t n) { return revet_sign_memcmp(s, t, n); }

int bcmp(const void *s, const void *t, size_t n) { return revet_any_of_sign(revet_sign_memcmp(s, t, n)); }

int revet_sign_strcmp(const char *s, const char *t) {
  size_t i = 0;
  while (s[i] && s[i] == t[i]) i++;
  if (s[i] == t[i]) return 0;
  return (unsigned char)s[i] < (unsigned char)t[i] ? -1 : 1;
}

int strcmp(const char *s, const char *t) { return revet_any_of_sign(revet_sign_strcmp(s, t)); }

int revet_sign_strncmp(const char *s, const char *t, size_t n) {
  size_t i = 0;
  while (i < n && s[i] && s[i] == t[i]) i++;
  if (i == n || s[i] == t[i]) return 0;
  return (unsigned char)s[i] < (unsigned char)t[i] ? -1 : 1;
}

int strncmp(const char *s, const char *t, size_t n) { return revet_any_of_sign(revet_sign_strncmp(s, t, n)); }

int revet_sign_strcasecmp(const char *s, const char *t) {
  size_t i = 0;
  int a, b;
  do {
    a = tolower((unsigned char)s[i]);
    b = tolower((unsigned char)t[i]);
    i++;
  } while (a && a == b);
  return a == b ? 0 : a < b ? -1 : 1;
}

int strcasecmp(const char *s, const char *t) { return revet_any_of_sign(revet_sign_strcasecmp(s, t)); }

int revet_sign_strncasecmp(const char *s, const char *t, size_t n) {
  size_t i;
  int a, b;
  for (i = 0; i < n; i++) {
    a = tolower((unsigned char)s[i]);
    b = tolower((unsigned char)t[i]);
    if (a != b) return a < b ? -1 : 1;
    if (!a) return 0;
  }
  return 0;
}

int strncasecmp(const char *s, const char *t, size_t n) {
  return revet_any_of_sign(revet_sign_strncasecmp(s, t, n));
}

char *strcpy(char *d, const char *s) {
  size_t i = 0;
  while (s[i]) { __revet_apart(s + i, d); __revet_apart(d + i, s); d[i] = s[i]; i++; }
  __revet_apart(s + i, d); __revet_apart(d + i, s);
  d[i] = 0;
  return d;
}

char *stpcpy(char *d, const char *s) {
  size_t i = 0;
  while (s[i]) { __revet_apart(s + i, d); __revet_apart(d + i, s); d[i] = s[i]; i++; }
  __revet_apart(s + i, d); __revet_apart(d + i, s);
  d[i] = 0;
  return d + i;
}

char *strncpy(char *d, const char *s, size_t n) {
  size_t i = 0;
  while (i < n && s[i]) { __revet_apart(s + i, d); __revet_apart(d + i, s); d[i] = s[i]; i++; }
  while (i < n) { __revet_apart(d + i, s); d[i] = 0; i++; }
  return d;
}

char *stpncpy(char *d, const char *s, size_t n) {
  size_t i = 0, length;
  while (i < n && s[i]) { __revet_apart(s + i, d); __revet_apart(d + i, s); d[i] = s[i]; i++; }
  length = i;
  while (i < n) { __revet_apart(d + i, s); d[i] = 0; i++; }
  return d + length;
}

char *strcat(char *d, const char *s) {
  size_t n = 0, i = 0;
  while (d[n]) n++;
  while (s[i]) { __revet_apart(s + i, d + n); __revet_apart(d + n + i, s); d[n + i] = s[i]; i++; }
  __revet_apart(s + i, d + n); __revet_apart(d + n + i, s);
  d[n + i] = 0;
  return d;
}

char *strncat(char *d, const char *s, size_t most) {
  size_t n = 0, i = 0;
  while (d[n]) n++;
  while (i < most && s[i]) { __revet_apart(s + i, d + n); __revet_apart(d + n + i, s); d[n + i] = s[i]; i++; }
  d[n + i] = 0;
  return d;
}

size_t strlcpy(char *d, const char *s, size_t size) {
  size_t i = 0;
  while (s[i]) {
    if (i + 1 < size) d[i] = s[i];
    i++;
  }
  if (size > 0) d[i < size ? i : size - 1] = 0;
  return i;
}

size_t strlcat(char *d, const char *s, size_t size) {
  size_t n = strnlen(d, size), i = 0;
  while (s[i]) {
    if (n + i + 1 < size) d[n + i] = s[i];
    i++;
  }
  if (n < size) d[n + i < size ? n + i : size - 1] = 0;
  return n + i;
}

char *strchr(const char *s, int c) {
  size_t i = 0;
  while (s[i] && s[i] != (char)c) i++;
  return s[i] == (char)c ? (char *)s + i : (char *)0;
}

char *index(const char *s, int c) { return strchr(s, c); }

char *strchrnul(const char *s, int c) {
  size_t i = 0;
  while (s[i] && s[i] != (char)c) i++;
  return (char *)s + i;
}

char *strrchr(const char *s, int c) {
  const char *found = 0;
  for (;; s++) {
    if (*s == (char)c) found = s;
    if (!*s) return (char *)found;
  }
}

char *rindex(const char *s, int c) { return strrchr(s, c); }

static int revet_among(char c, const char *set) {
  while (*set)
    if (*set++ == c) return 1;
  return 0;
}

size_t strspn(const char *s, const char *set) {
  size_t n = 0;
  while (s[n] && revet_among(s[n], set)) n++;
  return n;
}

size_t strcspn(const char *s, const char *set) {
  size_t n = 0;
  while (s[n] && !revet_among(s[n], set)) n++;
  return n;
}

char *strpbrk(const char *s, const char *set) {
  while (*s) {
    if (revet_among(*s, set)) return (char *)s;
    s++;
  }
  return 0;
}

char *strstr(const char *s, const char *t) {
  size_t i;
  for (;; s++) {
    for (i = 0; t[i] && s[i] == t[i]; i++) ;
    if (!t[i]) return (char *)s;
    if (!*s) return 0;
  }
}

char *strtok_r(char *s, const char *set, char **next) {
  char *token;
  if (!s) s = *next;
  s += strspn(s, set);
  if (!*s) { *next = s; return 0; }
  token = s;
  s += strcspn(s, set);
  if (*s) { *s = 0; *next = s + 1; } else *next = s;
  return token;
}

char *strtok(char *s, const char *set) {
  static char *next;
  return strtok_r(s, set, &next);
}

char *strsep(char **place, const char *set) {
  char *s = *place, *token = s;
  if (!s) return 0;
  s += strcspn(s, set);
  if (*s) { *s = 0; *place = s + 1; } else *place = 0;
  return token;
}

char *strdup(const char *s) {
  size_t n = strlen(s), i;
  char *copy = malloc(n + 1);
  if (!copy) return 0;
  for (i = 0; i <= n; i++) copy[i] = s[i];
  return copy;
}

char *strndup(const char *s, size_t most) {
  size_t n = strnlen(s, most), i;
  char *copy = malloc(n + 1);
  if (!copy) return 0;
  for (i = 0; i < n; i++) copy[i] = s[i];
  copy[n] = 0;
  return copy;
}

void *memchr(const void *s, int c, size_t n) {
  const unsigned char *a = s;
  size_t i;
  for (i = 0; i < n; i++)
    if (a[i] == (unsigned char)c) return (void *)(a + i);
  return 0;
}

void *rawmemchr(const void *s, int c) {
  const unsigned char *a = s;
  while (*a != (unsigned char)c) a++;
  return (void *)a;
}

void *memrchr(const void *s, int c, size_t n) {
  const unsigned char *a = s;
  while (n > 0) {
    n--;
    if (a[n] == (unsigned char)c) return (void *)(a + n);
  }
  return 0;
}

void *memmem(const void *s, size_t n, const void *t, size_t m) {
  const unsigned char *a = s, *b = t;
  size_t i, j;
  for (i = 0; m <= n && i <= n - m; i++) {
    for (j = 0; j < m && a[i + j] == b[j]; j++) ;
    if (j == m) return (void *)(a + i);
  }
  return 0;
}

void *memccpy(void *d, const void *s, int c, size_t n) {
  unsigned char *to = d;
  const unsigned char *from = s;
  size_t i;
  for (i = 0; i < n; i++) {
    __revet_apart(from + i, to);
    __revet_apart(to + i, from);
    to[i] = from[i];
    if (from[i] == (unsigned char)c) return to + i + 1;
  }
  return 0;
}

void *mempcpy(void *d, const void *s, size_t n) { return (char *)memcpy(d, s, n) + n; }

void bcopy(const void *s, void *d, size_t n) { memmove(d, s, n); }

void bzero(void *s, size_t n) { memset(s, 0, n); }

size_t wcslen(const wchar_t *s) { size_t n = 0; while (s[n]) n++; return n; }

wchar_t *wcscpy(wchar_t *d, const wchar_t *s) {
  size_t i = 0;
  while (s[i]) { __revet_apart(s + i, d); __revet_apart(d + i, s); d[i] = s[i]; i++; }
  __revet_apart(s + i, d); __revet_apart(d + i, s);
  d[i] = 0;
  return d;
}

wchar_t *wcsncpy(wchar_t *d, const wchar_t *s, size_t n) {
  size_t i = 0;
  while (i < n && s[i]) { __revet_apart(s + i, d); __revet_apart(d + i, s); d[i] = s[i]; i++; }
  while (i < n) { __revet_apart(d + i, s); d[i] = 0; i++; }
  return d;
}

wchar_t *wcscat(wchar_t *d, const wchar_t *s) {
  size_t n = 0, i = 0;
  while (d[n]) n++;
  while (s[i]) { __revet_apart(s + i, d + n); __revet_apart(d + n + i, s); d[n + i] = s[i]; i++; }
  __revet_apart(s + i, d + n); __revet_apart(d + n + i, s);
  d[n + i] = 0;
  return d;
}

wchar_t *wcschr(const wchar_t *s, wchar_t c) {
  size_t i = 0;
  while (s[i] && s[i] != c) i++;
  return s[i] == c ? (wchar_t *)s + i : (wchar_t *)0;
}

wchar_t *wmemcpy(wchar_t *d, const wchar_t *s, size_t n) {
  size_t i;
  for (i = 0; i < n; i++) { __revet_apart(s + i, d); __revet_apart(d + i, s); d[i] = s[i]; }
  return d;
}

wchar_t *wmemset(wchar_t *d, wchar_t c, size_t n) {
  size_t i;
  for (i = 0; i < n; i++) d[i] = c;
  return d;
}

int revet_sign_wmemcmp(const wchar_t *s, const wchar_t *t, size_t n) {
  size_t i;
  for (i = 0; i < n; i++)
    if (s[i] != t[i]) return s[i] < t[i] ? -1 : 1;
  return 0;
}

int wmemcmp(const wchar_t *s, const wchar_t *t, size_t n) {
  return revet_any_of_sign(revet_sign_wmemcmp(s, t, n));
}

int revet_sign_wcscmp(const wchar_t *s, const wchar_t *t) {
  size_t i = 0;
  while (s[i] && s[i] == t[i]) i++;
  return s[i] == t[i] ? 0 : s[i] < t[i] ? -1 : 1;
}

int wcscmp(const wchar_t *s, const wchar_t *t) { return revet_any_of_sign(revet_sign_wcscmp(s, t)); }

int revet_sign_wcsncmp(const wchar_t *s, const wchar_t *t, size_t n) {
  size_t i = 0;
  while (i < n && s[i] && s[i] == t[i]) i++;
  return i == n || s[i] == t[i] ? 0 : s[i] < t[i] ? -1 : 1;
}

int wcsncmp(const wchar_t *s, const wchar_t *t, size_t n) {
  return revet_any_of_sign(revet_sign_wcsncmp(s, t, n));
}

int ffs(int x) {
  int n;
  for (n = 0; n < 32; n++)
    if ((unsigned)x >> n & 1u) return n + 1;
  return 0;
}

int ffsl(long x) { return ffsll(x); }

int ffsll(long long x) {
  int n;
  for (n = 0; n < 64; n++)
    if ((unsigned long long)x >> n & 1u) return n + 1;
  return 0;
}

wchar_t *wmemchr(const wchar_t *s, wchar_t c, size_t n) {
  size_t i;
  for (i = 0; i < n; i++)
    if (s[i] == c) return (wchar_t *)s + i;
  return 0;
}

wchar_t *wmemmove(wchar_t *d, const wchar_t *s, size_t n) {
  memmove(d, s, n * sizeof(wchar_t));
  return d;
}
