/* A controller for a heater and a cooler, which must never run together. -DSEEDED=1 and -DSEEDED=2 bring a
   mistake each. */
#include "thermostat.h"
#include <assert.h>

static enum mode wanted(int target, int measured) {
#if SEEDED == 1
  int above = measured > target - 3;
#else
  int above = measured > target + 1;
#endif
  return measured < target - 1 ? HEATING : above ? COOLING : OFF;
}

int thermostat_set(struct thermostat *t, int target) {
  if (target < -40 || target > 80) return -1;
  t->target = target;
  assert(-40 <= t->target && t->target <= 80);
  return 0;
}

void thermostat_step(struct thermostat *t, int measured) {
  if (t->target < -40 || t->target > 80) return;
  enum mode next = wanted(t->target, measured);
#if SEEDED == 2
  if (next == HEATING) t->heater = 1;
#else
  t->heater = next == HEATING;
#endif
  t->cooler = next == COOLING;
  t->mode = next;
  assert(!(t->heater && t->cooler));
  assert(t->mode != COOLING || measured > t->target);
}
