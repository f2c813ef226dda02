// New blocks through a call

struct one { int a, b; };
struct two { short c[4]; };
static void through(struct two *two) { two->c[2] = 7; }
int main(void) {
  struct one *one = malloc(sizeof *one);
  struct two *two = malloc(sizeof *two);
  one->a = 0x10002; one->b = 0x30004;
  for (int i = 0; i < 4; i++) two->c[i] = (short)(i + 1);
  void (*call)(struct one *) = (void (*)(struct one *))through;
  through(two); r[0] = two->c[2];
  call(one); r[1] = one->b;
  free(one); free(two);
  return 0;
}
