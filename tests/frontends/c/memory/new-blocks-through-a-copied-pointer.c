// New blocks through a copied pointer

struct one { int a, b; };
struct two { short c[4]; };
int main(void) {
  struct one *one = malloc(sizeof *one);
  struct two *two = malloc(sizeof *two);
  one->a = 0x10002; one->b = 0x30004;
  for (int i = 0; i < 4; i++) two->c[i] = (short)(i + 1);
  struct two *copied;
  memcpy(&copied, &one, sizeof copied); r[0] = copied->c[3]; copied->c[0] = 9; r[1] = one->a;
  free(one); free(two);
  return 0;
}
