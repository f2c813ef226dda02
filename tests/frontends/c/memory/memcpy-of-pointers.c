// Memcpy of pointers

int main(void) {
  int x = 1, y = 2;
  int *p = &x, *q = &y;
  memcpy(&p, &q, sizeof p);
  *p = 7;
  r[0] = x;
  r[1] = y;
  unsigned char b[sizeof p];
  int *k;
  memcpy(b, &p, sizeof p);
  memcpy(&k, b, sizeof k);
  *k = 9;
  r[2] = y;
  return 0;
}
