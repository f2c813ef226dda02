static struct tm *revet_broken_down(struct tm *d) {
  int year = __VERIFIER_nondet_revet_again();
  d->tm_sec = revet_between(0, 60);
  d->tm_min = revet_between(0, 59);
  d->tm_hour = revet_between(0, 23);
  d->tm_mday = revet_between(1, 31);
  d->tm_mon = revet_between(0, 11);
  d->tm_year = year;
  d->tm_wday = revet_between(0, 6);
  d->tm_yday = revet_between(0, 365);
  d->tm_isdst = revet_between(-1, 1);
  return d;
}

static int revet_between(int least, int most) {
  int n = __VERIFIER_nondet_revet_again();
  __VERIFIER_assume(n >= least && n <= most);
  return n;
}

static long revet_any_time(void) {
  unsigned long long high = (unsigned)__VERIFIER_nondet_revet_again();
  return (long)(high << 32 | (unsigned)__VERIFIER_nondet_revet_again());
}

static struct tm *revet_time(const long *t, struct tm *d) {
  long long from = *t;
  int far = from > 67768036000000000LL || from < -67768040000000000LL; /* the year is no int */
  if (far && revet_between(0, 1)) { revet_errno(75); return 0; }
  return revet_broken_down(d);
}

static struct tm *revet_shared_time(const long *t) {
  static struct tm time;
  return revet_time(t, &time);
}

struct tm *gmtime(const long *t) { return revet_shared_time(t); }

struct tm *localtime(const long *t) { return revet_shared_time(t); }

struct tm *gmtime_r(const long *t, struct tm *d) { return revet_time(t, d); }

struct tm *localtime_r(const long *t, struct tm *d) { return revet_time(t, d); }

long mktime(struct tm *d) {
  long t = d->tm_sec ^ d->tm_min ^ d->tm_hour ^ d->tm_mday ^ d->tm_mon ^ d->tm_year ^ d->tm_isdst;
  t = revet_any_time();
  if (t == -1 && revet_between(0, 1)) { revet_errno(75); return -1; }
  revet_broken_down(d);
  return t;
}

char *asctime(const struct tm *d) {
  static char text[26];
  int i, c = d->tm_sec ^ d->tm_min ^ d->tm_hour ^ d->tm_mday ^ d->tm_mon ^ d->tm_year ^ d->tm_wday;
  for (i = 0; i < 24; i++) {
    c = revet_between(32, 126);
    text[i] = (char)c;
  }
  text[24] = '\n';
  text[25] = 0;
  return text;
}

char *ctime(const long *t) {
  struct tm *d = localtime(t);
  return d ? asctime(d) : (char *)0;
}

size_t strftime(char *s, size_t most, const char *format, const struct tm *d) {
  size_t i, n;
  __revet_readable(d, sizeof *d);
  __revet_writable(s, most);
  n = strlen(format);
  if (most == 0) return 0;
  n = (size_t)revet_any_time();
  __VERIFIER_assume(n < most);
  for (i = 0; i < n; i++) s[i] = (char)__VERIFIER_nondet_revet_again();
  s[n] = 0;
  return n;
}

int timespec_get(struct timespec *t, int base) {
  long now = revet_up_to(__LONG_MAX__), part = revet_up_to(999999999);
  t->tv_sec = now < 0 ? 0 : now;
  t->tv_nsec = part < 0 ? 0 : part;
  return base == 1 && !revet_failure() ? 1 : 0;
}

int clock_gettime(int clock, struct timespec *t) {
  long now, part;
  if (revet_failure()) return -1;
  now = revet_up_to(__LONG_MAX__);
  part = revet_up_to(999999999);
  t->tv_sec = now < 0 ? 0 : now;
  t->tv_nsec = part < 0 ? 0 : part;
  return 0;
}

int nanosleep(const struct timespec *wanted, struct timespec *left) {
  long whole = wanted->tv_sec, part = wanted->tv_nsec;
  if (!revet_failure()) return 0;
  if (left) {
    left->tv_sec = revet_between(0, 1) ? whole : 0;
    left->tv_nsec = part;
  }
  return -1;
}

int gettimeofday(struct timeval *t, void *zone) {
  long now, part;
  if (!t) return 0;
  now = revet_up_to(__LONG_MAX__);
  part = revet_up_to(999999);
  t->tv_sec = now < 0 ? 0 : now;
  t->tv_usec = part < 0 ? 0 : part;
  return 0;
}
