// Bytes of a structure
struct s { char tag; int value; };

int main(void) {
  struct s s;
  s.tag = 'x';
  s.value = 0x01020304;
  unsigned char *p = (unsigned char *)&s;
  p[4] = 0xff;
  r[0] = s.value;
  r[1] = p[0];
  r[2] = p[7];
  return 0;
}
