/* The product of two matrices, and a mean. With -DFAULT the mean of no rows is computed. */
#include <assert.h>

extern int nondet_int(void);

#define N 2
static int product(const int a[N][N], const int b[N][N], int c[N][N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      c[i][j] = 0;
      for (int k = 0; k < N; k++) c[i][j] += a[i][k] * b[k][j];
    }
  return c[0][0];
}

static int mean(const int *values, int count) {
  int sum = 0;
#ifndef FAULT
  if (count <= 0) return 0;
#endif
  for (int i = 0; i < count; i++) sum += values[i];
  return sum / count;
}

int main(void) {
  int a[N][N], b[N][N], c[N][N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = nondet_int() & 15;
      b[i][j] = nondet_int() & 15;
    }
  product(a, b, c);
  int rows = nondet_int();
  if (rows < 0 || rows > N) rows = 0;
  return mean(c[0], rows) > 450;
}
