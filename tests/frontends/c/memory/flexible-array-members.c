// Flexible array members
struct f { int n; short a[]; };

int main(void) {
  struct f *p = malloc(sizeof *p + 4 * sizeof(short));
  p->n = 4;
  for (int i = 0; i < p->n; i++) p->a[i] = i * i;
  r[0] = p->a[3];
  r[1] = p->n;
  free(p);
  return 0;
}
