// Realloc of bit-fields, of unions and of a block that is allocated once
struct b { unsigned f : 3; int g : 6; int n; };
union u { int i; char c[4]; };

int main(void) {
  struct b *p = malloc(sizeof *p);
  p->f = 5;
  p->g = -7;
  p->n = 3;
  p = realloc(p, 2 * sizeof *p);
  r[0] = p->f;
  r[1] = p->g;
  r[2] = p->n;
  union u *q = malloc(sizeof *q);
  q->i = 0x01020304;
  q = realloc(q, 3 * sizeof *q);
  r[3] = q->c[1];
  return 0;
}
