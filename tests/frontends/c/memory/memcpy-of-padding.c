// Memcpy of padding
struct s { char c; int i; };

int main(void) {
  struct s s, t;
  memset(&s, 0, sizeof s);
  s.c = 1;
  s.i = 0x01020304;
  memcpy(&t, &s, sizeof t);
  unsigned char b[8];
  memcpy(b, &s, sizeof s);
  r[0] = t.c;
  r[1] = t.i;
  r[2] = b[4];
  r[3] = b[7];
  return 0;
}
