// Memmove up

int main(void) {
  int a[4] = {1, 2, 3, 4};
  memmove(a + 1, a, 3 * sizeof(int));
  for (int i = 0; i < 4; i++) r[i] = a[i];
  return 0;
}
