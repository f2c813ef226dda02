#include <assert.h>
int main() {
  int n = 0, sum = 0;
  while (n < 5) { sum += n; n++; }
  assert(sum < 10);
  return 0;
}
