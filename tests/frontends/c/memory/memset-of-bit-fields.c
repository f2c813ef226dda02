// Memset of bit-fields
struct s { int n; unsigned f : 3; int g : 7; };

int main(void) {
  struct s s;
  s.n = 1;
  s.f = 5;
  s.g = -3;
  r[0] = s.f;
  r[1] = s.g;
  memset(&s, 0, sizeof s);
  r[2] = s.f;
  r[3] = s.g;
  struct s *p = calloc(1, sizeof *p);
  r[4] = p->f;
  p->g = -1;
  struct s t;
  memcpy(&t, p, sizeof t);
  r[5] = t.g;
  free(p);
  return 0;
}
