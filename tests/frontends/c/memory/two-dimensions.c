// Two dimensions
int a[3][4];

int main(void) {
  int k = 0;
  for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) a[i][j] = k++;
  int (*p)[4] = a;
  r[0] = p[2][3];
  r[1] = *(*(a + 1) + 2);
  int *q = a[1];
  r[2] = q[5];
  r[3] = sizeof a / sizeof a[0];
  return 0;
}
