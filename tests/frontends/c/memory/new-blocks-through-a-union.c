// New blocks through a union of pointers

struct one { int a, b; };
struct two { short c[4]; };
union either { struct one *one; struct two *two; };
int main(void) {
  struct one *one = malloc(sizeof *one);
  struct two *two = malloc(sizeof *two);
  one->a = 0x10002; one->b = 0x30004;
  for (int i = 0; i < 4; i++) two->c[i] = (short)(i + 1);
  union either e;
  e.one = one; r[0] = e.two->c[0]; e.two->c[2] = 7; r[1] = one->b;
  e.two = two; r[2] = e.one->b;
  free(one); free(two);
  return 0;
}
