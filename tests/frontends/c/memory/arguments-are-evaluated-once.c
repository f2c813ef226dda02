// Arguments are evaluated once
char b[8];

int main(void) {
  int n = 1, v = 2;
  char *p = b;
  memset(p++, v++, n++);
  r[0] = n;
  r[1] = v;
  r[2] = p - b;
  memcpy(p++, b, n++);
  r[3] = n;
  r[4] = p - b;
  r[5] = b[0];
  r[6] = b[1];
  return 0;
}
