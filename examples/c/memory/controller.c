/* A controller in fixed point (8 bits behind the point). With -DFAULT what the sensor says is taken as it is. */
#include <assert.h>

extern int nondet_int(void);

#define ONE 256
#define LIMIT (100 * ONE)
static const int proportional = 3 * ONE / 2, integral = ONE / 8;
static int sum; /* of the errors so far, limited so that it does not run away */

static int limited(int value, int limit) {
  if (value > limit) return limit;
  return value < -limit ? -limit : value;
}

static int times(int x, int y) { return x * y / ONE; }

static int control(int wanted, int measured) {
  int error = wanted - measured;
  sum = limited(sum + error, LIMIT);
  return limited(times(proportional, error) + times(integral, sum), LIMIT);
}

int main(void) {
  int wanted = limited(nondet_int(), LIMIT);
  for (int i = 0; i < 3; i++) {
#ifdef FAULT
    int measured = nondet_int();
#else
    int measured = limited(nondet_int(), LIMIT);
#endif
    int set = control(wanted, measured);
    assert(-LIMIT <= set && set <= LIMIT);
    assert(-LIMIT <= sum && sum <= LIMIT);
  }
  return 0;
}
