// Large arrays as bytes
static char buffer[30000];
static int numbers[9000];

int main(void) {
  int *p = (int *)buffer;
  p[2000] = 0x01020304;
  r[0] = buffer[8001];
  r[1] = buffer[29999];
  unsigned char *q = (unsigned char *)numbers;
  q[4 * 8000 + 1] = 2;
  r[2] = numbers[8000];
  r[3] = numbers[8999];
  return 0;
}
