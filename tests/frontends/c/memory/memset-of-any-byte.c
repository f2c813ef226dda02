// Memset of any byte
struct s { int i; short h; unsigned char c; };

int main(void) {
  struct s s;
  int a[3];
  int v = 0x1ab;
  memset(&s, v, sizeof s);
  memset(a, -2, sizeof a);
  r[0] = s.i;
  r[1] = s.h;
  r[2] = s.c;
  r[3] = a[2];
  return 0;
}
