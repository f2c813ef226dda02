// Realloc keeps what both blocks have
struct s { char c; int i; struct s *next; };

int main(void) {
  int *p = malloc(2 * sizeof *p), n = 3;
  p[0] = 5;
  p[1] = 6;
  p = realloc(p, sizeof *p * n++);
  p[2] = 7;
  r[0] = p[0] + p[1] + p[2];
  r[1] = n;
  p = realloc(p, sizeof *p);
  r[2] = p[0];
  struct s *t = realloc(0, sizeof *t);
  t->c = 1;
  t->i = 0x01020304;
  t->next = t;
  struct s *u = realloc(t, 2 * sizeof *u);
  u->next = u;
  u[1].i = 9;
  r[3] = u->c;
  r[4] = u->next->i;
  r[5] = u[1].i;
  return 0;
}
