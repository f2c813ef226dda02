// Unions by value
union u { char c; int i; };
struct w { int k; union u u; };
static union u mk(int x) { union u u; u.i = x; return u; }
static int get(union u u) { return u.i; }
static void cp(struct w *d, const struct w *s) { *d = *s; }
static union u g;

int main(void) {
  union u a = mk(0x1234);
  r[0] = get(a);
  r[1] = a.c;
  struct w v, w;
  v.k = 1;
  v.u.i = 0x4321;
  w.k = 0;
  w.u.i = 0;
  cp(&w, &v);
  r[2] = w.u.i;
  r[3] = g.i;
  g.c = 1;
  r[4] = g.i;
  r[5] = get(w.u);
  return 0;
}
