/* One memory, several views: unions, bytes of scalars, structures through pointers. */
typedef unsigned char byte;
extern unsigned __VERIFIER_nondet_uint(void);

union word { unsigned whole; byte bytes[4]; unsigned short halves[2]; };
struct pair { unsigned a; unsigned b; };

static unsigned sum(const struct pair *p) { return p->a + 2 * p->b; }

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  union word w;
  w.whole = n;
  unsigned low = w.bytes[0], high = w.halves[1];
  w.bytes[3] = 0x7f;
  unsigned changed = w.whole;
  struct pair p = {n, 5}, q;
  struct pair *at = &p;
  at->b = n >> 4;
  q = *at;
  at = &q;
  at->a = 1;
  unsigned one = sum(&p), two = sum(at);
  unsigned shown = p.a;
  return (int)(low + high + changed + one + two + shown);
}
