// Pointer to a pointer to another type

int main(void) {
  int x = 0x01020304;
  int *p = &x;
  unsigned char **q = (void *)&p;
  **q = 0;
  r[0] = x;
  (*q)++;
  **q = 7;
  r[1] = x;
  return 0;
}
