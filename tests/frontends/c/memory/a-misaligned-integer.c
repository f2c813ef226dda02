// A misaligned integer

int main(void) {
  int a[2] = {0x01020304, 0x05060708};
  int x;
  memcpy(&x, (char *)a + 1, sizeof x);
  r[0] = x;
  return 0;
}
