/* Objects that a pointer may lead to do not share a byte, however large they are; a large unsigned number
   is read as it was written. */
typedef unsigned long size_t;
extern void *malloc(size_t);
extern int __VERIFIER_nondet_int(void);

struct record { int values[12]; short mark; };

int main(void) {
  int first[24] = {0}, second[40] = {0}, third = 7;
  struct record left = {{1}, 2}, right = {{3}, 4};
  int n = __VERIFIER_nondet_int() & 1;
  int *all = n ? first : second, *other = n ? second : first, *one = n ? &third : other;
  struct record *r = n ? &left : &right, *s = n ? &right : &left;
  for (int i = 0; i < 24; i++)
    all[i] = i + 1;
  for (int i = 0; i < 12; i++)
    r->values[i] = 50 + i;
  r->mark = 9;
  int untouched = other[0] + other[23] + third, kept = s->values[0] + s->values[11] + s->mark;
  *one = 100;
  int sum = first[0] + first[23] + second[0] + second[23] + third;
  int marks = left.mark * 10 + right.mark;
  unsigned *u = 0, back = 0;
  for (int round = 0; round < 2 + n; round++) {
    u = malloc(24 * sizeof *u);
    if (!u) return 1;
    for (int i = 0; i < 24; i++)
      u[i] = 0xFFFFFFF0u + (unsigned)(i % 2 * n);
    back = u[7 * n];
  }
  int negative = (int)back, is_negative = (int)u[23] < 0;
  return negative + is_negative + untouched + kept + sum + marks;
}
