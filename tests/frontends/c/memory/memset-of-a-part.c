// Memset of a part

int main(void) {
  int x = 0x12345678;
  memset(&x, 0, 2);
  r[0] = x;
  short s[2] = {0x1111, 0x2222};
  memset((char *)s + 1, 0, 2);
  r[1] = s[0];
  r[2] = s[1];
  return 0;
}
