// Memmove down

int main(void) {
  int a[4] = {1, 2, 3, 4};
  memmove(a, a + 1, 3 * sizeof(int));
  for (int i = 0; i < 4; i++) r[i] = a[i];
  return 0;
}
