// Packed
struct __attribute__((packed)) s { char c; int i; short h; };

int main(void) {
  struct s s = {1, 0x01020304, 5};
  char *p = (char *)&s;
  r[0] = p[1];
  r[1] = p[4];
  p[5] = 9;
  r[2] = s.h;
  struct s t = s;
  r[3] = t.i;
  r[4] = sizeof s;
  int *q = (int *)p;
  r[5] = *q;
  return 0;
}
