// Union of pointers

int main(void) {
  union { int *i; unsigned char *c; } u;
  int x = 0x01020304;
  u.i = &x;
  *u.c = 9;
  r[0] = x;
  u.c[1] = 8;
  r[1] = x;
  return 0;
}
