// Addresses as integers and back

int main(void) {
  int x = 3, a[4] = {1, 2, 3, 4};
  size_t n = (size_t)&x;
  *(int *)n = 4;
  r[0] = x;
  n = (size_t)a;
  n += 2 * sizeof(int);
  r[1] = *(int *)n;
  r[2] = *(char *)(n + 4);
  return 0;
}
