// Doubles as integers

int main(void) {
  double d = 1.0;
  long long *p = (long long *)&d;
  r[0] = (int)(*p >> 52);
  *p = 0x4000000000000000;
  r[1] = (int)d;
  return 0;
}
