// First member
struct base { int kind; };
struct derived { struct base b; char c; int more; };

int main(void) {
  struct derived d = {{1}, 2, 3};
  struct base *p = &d.b;
  r[0] = p->kind;
  p->kind = 5;
  r[1] = ((struct derived *)p)->more;
  r[2] = d.b.kind;
  int *q = (int *)p;
  q[2] = 8;
  r[3] = d.more;
  return 0;
}
