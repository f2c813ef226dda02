// Memcpy of a part

int main(void) {
  int x = 0, y = 0x12345678;
  memcpy(&x, &y, 2);
  r[0] = x;
  memcpy((char *)&x + 3, &y, 1);
  r[1] = x;
  return 0;
}
