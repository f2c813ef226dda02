// Integers as bytes

int main(void) {
  long long x = 0x0102030405060708;
  short *p = (short *)&x;
  r[0] = p[1];
  p[3] = 0x7fff;
  r[1] = (int)(x >> 48);
  unsigned char *c = (unsigned char *)p;
  r[2] = c[7];
  return 0;
}
