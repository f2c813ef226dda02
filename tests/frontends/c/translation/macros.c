/* Text that the preprocessor makes. */
#include <stddef.h>
#include <limits.h>
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define TWO x = x + 1; y = y + x
#define STEP(v) do { v += 3; calls++; } while (0)
#define LOOP for (int k = 0; k < 3; k++)
extern int __VERIFIER_nondet_int(void);
static int calls;

int main(void) {
  int x = __VERIFIER_nondet_int(), y = 2;
  if (x > INT_MAX / 2 || x < INT_MIN / 2) return 0;
  int most = MAX(x, y);
  TWO;
  STEP(y);
  LOOP y++;
  if (x > 3) { TWO; }
  size_t size = sizeof(int) * CHAR_BIT;
#ifdef NEVER
  y = 0;
#else
  y -= 1;
#endif
  if (x == y)
    STEP(x);
  else
    x = 0;
  return most + (int)size + calls;
}
