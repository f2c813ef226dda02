extern void __VERIFIER_error(void);
extern int __VERIFIER_nondet_int(void);
#define check(c) if (!(c)) __VERIFIER_error()
struct pair { int a; int b; struct pair *next; };
void swap(int *x, int *y) { int t = *x; *x = *y; *y = t; }
void set(struct pair *p, int v) { p->a = v; p->b = v + 1; }
int add(int x, int y) { return x + y; }
int sub(int x, int y) { return x - y; }
int global = 5, *where = &global;
int sum(int a[], int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
int main() {
  int x = __VERIFIER_nondet_int(), y = 3;
  int old = x;
  swap(&x, &y);
  check(x == 3 && y == old);
  struct pair p, q, *r = old > 0 ? &p : &q;
  q.a = p.a = 0;
  r->next = &p;
  set(r, 7);
  check(r->b == 8 && p.a + q.a == 7);
  *where += 2;
  check(global == 7 && where == &global);
  int (*op)(int, int) = old > 3 ? add : sub;
  check(op(5, 2) == (old > 3 ? 7 : 3));
  int a[4] = { 1, 2, 3 }, *end = a + 4, *i;
  int total = 0;
  for (i = a; i != end; i++) total += *i;
  check(total == 6 && end - a == 4 && sum(a, 4) == 6);
  int **pp = &where;
  **pp = 1;
  check(global == 1);
  return 0;
}
