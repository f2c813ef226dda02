// Memmove in a loop
int a[300];
static int n(void) { return 299; }

int main(void) {
  for (int i = 0; i < 300; i++) a[i] = i;
  memmove(a + 1, a, n() * sizeof(int));
  r[0] = a[0];
  r[1] = a[1];
  r[2] = a[299];
  memmove(a, a + 1, n() * sizeof(int));
  r[3] = a[0];
  r[4] = a[298];
  r[5] = a[299];
  return 0;
}
