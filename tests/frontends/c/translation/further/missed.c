/* What seeded faults showed to be missing in the other programs. They choose the lines that faults are seeded
   in, and these do not: the sample stays as it is. */
typedef unsigned long size_t;
extern void *malloc(size_t);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned u = __VERIFIER_nondet_uint();
  unsigned char c = (unsigned char)u;
  unsigned rest = u % (c + 3u);
  unsigned middle = u & 0xF0u;
  char *large = malloc(100000);
  if (!large) return 1;
  large[99999] = (char)rest;
  int last = large[99999];
  void *p, *q = 0;
  p = rest & 1 ? (void *)&p : (void *)&q;
  *(void **)p = &q;
  int own = p == &q, other = q == 0;
  int which = 0;
  switch (u) {
    case -1: which = 1; break;
    case -9 ... -5: which = 2; break;
    default: which = 3;
  }
  switch ((unsigned char)u) {
    case 255: which += 10; break;
    default: which += 20;
  }
  c++;
  (void)which++;
  (void)(which += 2);
  return (int)middle + last + own + other + which + c;
}
