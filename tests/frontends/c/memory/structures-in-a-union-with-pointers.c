// Structures in a union with pointers
struct a { int k; int *p; };
struct b { int k; unsigned char *c; };
union u { struct a a; struct b b; };

int main(void) {
  union u u;
  int x = 0x01020304;
  u.a.k = 3;
  u.a.p = &x;
  *u.b.c = 0;
  r[0] = x;
  r[1] = u.b.k;
  return 0;
}
