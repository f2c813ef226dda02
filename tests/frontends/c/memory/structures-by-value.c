// Structures by value
struct s { int a[6]; char c; };
static struct s f(struct s x) { x.a[2] += x.c; return x; }

int main(void) {
  struct s s = {{1, 2, 3}, 4};
  struct s t = f(s);
  r[0] = t.a[2];
  r[1] = s.a[2];
  r[2] = f(t).a[2];
  struct s *p = &t;
  *p = f(*p);
  r[3] = t.a[2];
  return 0;
}
