/* Arrays: loops, two dimensions, global tables, indices that are computed. */
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static const int squares[6] = {0, 1, 4, 9, 16, 25};
static unsigned char buffer[8];
static int grid[2][3];
int counter;

int main(void) {
  int n = __VERIFIER_nondet_int();
  unsigned char byte = __VERIFIER_nondet_uchar();
  for (int i = 0; i < 8; i++) buffer[i] = (unsigned char)(byte + 37 * i);
  int index = n & 7;
  int found = buffer[index];
  buffer[index] = 1;
  int next = buffer[(index + 1) % 8];
  int table = squares[n & 3];
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 3; j++) grid[i][j] = 10 * i + j;
  grid[n & 1][2] += 5;
  int corner = grid[1][2], other = grid[0][2];
  int sorted[3] = {n & 15, 4, byte};
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2 - i; j++)
      if (sorted[j] > sorted[j + 1]) {
        int old = sorted[j];
        sorted[j] = sorted[j + 1];
        sorted[j + 1] = old;
      }
  int least = sorted[0], most = sorted[2];
  counter++;
  buffer[0]++;
  int seen = buffer[0] + counter;
  return found + next + table + corner + other + least + most + seen;
}
