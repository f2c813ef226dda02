/* names that hide others: in statement expressions, and static ones */
#include <assert.h>
int main(void) {
  int x = 10, y = 0, sum = 0;
  {
    static int x = 20;
    x++;
    sum += x;
  }
  y = ({
    int x = 1;
    x = ({ int x = 7; x++; x + 1; });
    x + 1;
  });
  sum += x;
  assert(x == 10 && y == 10 && sum == 31);
  return 0;
}
