// One array for signed and unsigned
struct s { signed char b; unsigned char a; } arr[40];

int main(void) {
  int i = 7;
  struct s *p = &arr[i];
  p->a = 200;
  p->b = -100;
  r[0] = p->a;
  r[1] = p->b;
  r[2] = arr[6].a;
  return 0;
}
