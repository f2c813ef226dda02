// Calloc
struct s { char c; int i; int *p; double d; };

int main(void) {
  struct s *s = calloc(3, sizeof *s);
  r[0] = s[2].i;
  r[1] = s[2].p == 0;
  r[2] = s[1].d == 0;
  s[1].i = 5;
  r[3] = s[1].i;
  int n = 2, *q = calloc(n++, sizeof *q);
  r[4] = q[1];
  r[5] = n;
  free(s);
  return 0;
}
