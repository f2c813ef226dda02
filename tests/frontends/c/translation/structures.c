/* Structures: fields, copies, parameters and results by value, nesting, bit-fields. */
extern int __VERIFIER_nondet_int(void);

struct point { int x, y; };
struct box { struct point low, high; char tag; };
struct flags { unsigned a : 3; signed b : 4; unsigned c : 1; };

static struct point moved(struct point p, int by) {
  p.x += by;
  p.y -= by;
  return p;
}

static int area(struct box b) {
  b.high.x -= b.low.x;
  b.high.y -= b.low.y;
  return b.high.x * b.high.y;
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < -1000 || n > 1000) return 0;
  struct point p = {n, 3};
  struct point q = p;
  q.x = q.x + 1;
  struct box b = {.high = {8, 9}, .low = q, .tag = 'b'};
  struct box copy;
  copy = b;
  copy.low.y = 7;
  p = moved(q, 2);
  int size = area(b);
  int other = area(copy);
  struct flags f = {0};
  f.a = (unsigned)n;
  f.b = n;
  f.c = f.a > 2;
  f.a++;
  int fields = f.a + f.b + f.c;
  struct point pair[2] = {{1, 2}, {n, 4}};
  pair[0] = pair[1];
  pair[1].y += pair[0].x;
  int first = pair[0].x, second = pair[1].y;
  return size + other + fields + first + second + b.tag;
}
