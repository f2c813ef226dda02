static int revet_character(void) {
  int c = __VERIFIER_nondet_revet_input_character();
  __VERIFIER_assume(c >= -1 && c <= 255);
  return c;
}

static int revet_failure(void) {
  int failed = __VERIFIER_nondet_revet_input_int();
  __VERIFIER_assume(failed == 0 || failed == -1);
  if (failed) revet_errno_any();
  return failed;
}

static long revet_up_to(long most) {
  long n = __VERIFIER_nondet_revet_input_long();
  __VERIFIER_assume(n >= -1 && n <= most);
  if (n < 0) revet_errno_any();
  return n;
}

int getchar(void) { return revet_character(); }

int getc(void *stream) { return revet_character(); }

int fgetc(void *stream) { return revet_character(); }

char *fgets(char *s, int n, void *stream) {
  int i = 0, c;
  if (n <= 0) return 0;
  __revet_writable(s, n);
  while (i < n - 1) {
    c = revet_character();
    if (c == -1 && (i == 0 || revet_failure())) return 0;
    if (c == -1) break;
    s[i++] = (char)c;
    if (c == '\n') break;
  }
  s[i] = 0;
  return s;
}

size_t fread(void *d, size_t size, size_t count, void *stream) {
  size_t total = size * count, got, i;
  if (total == 0) return 0;
  __revet_writable(d, total);
  got = __VERIFIER_nondet_revet_input_size();
  __VERIFIER_assume(got <= total);
  for (i = 0; i < got; i++) ((unsigned char *)d)[i] = (unsigned char)__VERIFIER_nondet_revet_input_int();
  return got / size;
}

int putchar(int c) { return (unsigned char)c; }

int putc(int c, void *stream) { return (unsigned char)c; }

int fputc(int c, void *stream) { return (unsigned char)c; }

int fflush(void *stream) { return 0; }

size_t fwrite(const void *d, size_t size, size_t count, void *stream) {
  __revet_readable(d, size * count);
  return size ? count : 0;
}

void *fopen(const char *name, const char *mode) {
  __revet_require(strlen(name) + strlen(mode) + 1);
  return revet_failure() ? (void *)0 : malloc(1);
}

void *tmpfile(void) { return revet_failure() ? (void *)0 : malloc(1); }

int fclose(void *stream) { return revet_failure(); }

int feof(void *stream) { return __VERIFIER_nondet_revet_input_int(); }

int ferror(void *stream) { return __VERIFIER_nondet_revet_input_int(); }

int fseek(void *stream, long offset, int whence) { return revet_failure(); }

long ftell(void *stream) { return revet_up_to(__LONG_MAX__); }

int fseeko(void *stream, long offset, int whence) { return revet_failure(); }

long ftello(void *stream) { return revet_up_to(__LONG_MAX__); }

int remove(const char *name) { __revet_require(strlen(name) + 1); return revet_failure(); }

int rename(const char *from, const char *to) { __revet_require(strlen(from) + strlen(to) + 1); return revet_failure(); }

int ungetc(int c, void *stream) { return c == -1 || revet_failure() ? -1 : (unsigned char)c; }

long time(long *place) {
  long now = revet_up_to(__LONG_MAX__);
  if (place) *place = now;
  return now;
}

long clock(void) { return revet_up_to(__LONG_MAX__); }

ssize_t read(int file, void *d, size_t n) {
  ssize_t got, i;
  __revet_writable(d, n);
  got = revet_up_to(n > (size_t)__LONG_MAX__ ? __LONG_MAX__ : (long)n);
  for (i = 0; i < got; i++) ((unsigned char *)d)[i] = (unsigned char)__VERIFIER_nondet_revet_input_int();
  return got;
}

ssize_t write(int file, const void *d, size_t n) {
  __revet_readable(d, n);
  return revet_up_to(n > (size_t)__LONG_MAX__ ? __LONG_MAX__ : (long)n);
}

int close(int file) { return revet_failure(); }

int open(const char *name, int flags, ...) { __revet_require(strlen(name) + 1); return (int)revet_up_to(__INT_MAX__); }

int creat(const char *name, unsigned mode) { __revet_require(strlen(name) + 1); return (int)revet_up_to(__INT_MAX__); }

int getpid(void) {
  static int id;
  if (id == 0) {
    id = __VERIFIER_nondet_revet_input_int();
    __VERIFIER_assume(id >= 1);
  }
  return id;
}

unsigned sleep(unsigned seconds) {
  unsigned left = (unsigned)__VERIFIER_nondet_revet_input_int();
  __VERIFIER_assume(left <= seconds);
  return left;
}

int usleep(unsigned microseconds) { return revet_failure(); }

int unlink(const char *name) { __revet_require(strlen(name) + 1); return revet_failure(); }

int rmdir(const char *name) { __revet_require(strlen(name) + 1); return revet_failure(); }

int chdir(const char *name) { __revet_require(strlen(name) + 1); return revet_failure(); }

int access(const char *name, int mode) { __revet_require(strlen(name) + 1); return revet_failure(); }

int klee_range(int begin, int end, const char *name) {
  int value = __VERIFIER_nondet_revet_input_int();
  __VERIFIER_assume(value >= begin && value < end);
  return value;
}

int klee_int(const char *name) { return __VERIFIER_nondet_revet_input_int(); }

static int revet_text_length(const char *format) {
  int length = strlen(format) > 0 ? __VERIFIER_nondet_revet_again() : 0;
  __VERIFIER_assume(length >= -1);
  if (length < 0) revet_errno_computed();
  return length;
}

static void revet_text(char *s, size_t n) {
  size_t i;
  for (i = 0; i < n; i++) s[i] = (char)__VERIFIER_nondet_revet_again();
  s[n] = 0;
}

int vsnprintf(char *s, size_t n, const char *format, __builtin_va_list list) {
  int length;
  if (n > 0) __revet_writable(s, n);
  length = revet_text_length(format);
  if (n > 0) revet_text(s, length >= 0 && (size_t)length < n ? (size_t)length : n - 1);
  return length;
}

int vsprintf(char *s, const char *format, __builtin_va_list list) {
  int length = revet_text_length(format);
  revet_text(s, length < 0 ? 0 : (size_t)length);
  return length;
}

int vasprintf(char **result, const char *format, __builtin_va_list list) {
  int length = revet_text_length(format);
  char *s = length < 0 ? (char *)0 : malloc((size_t)length + 1);
  if (!s) return -1;
  revet_text(s, (size_t)length);
  *result = s;
  return length;
}
