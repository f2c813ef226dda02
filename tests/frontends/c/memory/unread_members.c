/* Bytes of members, and of padding, that nobody accesses as what they are. */
struct s { char c; long n; char d[2]; } __attribute__((packed));
static struct s s;
static union { long n __attribute__((aligned(16))); char c; } u;
static struct { char a; char b __attribute__((aligned(4))); } v;
static struct { int n; char c; } w = { .c = 5 };

int main(void) {
  s.d[0] = 100;
  for (unsigned long i = 0; i < sizeof s; i++) r[0] = r[0] * 3 + ((unsigned char *)&s)[i];
  u.c = 7;
  for (unsigned long i = 0; i < sizeof u; i++) r[1] = r[1] * 3 % 10007 + ((char *)&u)[i];
  v.b = 3;
  for (unsigned long i = 0; i < sizeof v; i++) r[2] = r[2] * 3 + ((char *)&v)[i];
  char *p = (char *)&w;
  r[3] = p[0] + p[1] * 3 + *(p + 4) * 5;
  p[2] = 1;
  r[4] = p[2] + w.c;
  return 0;
}
