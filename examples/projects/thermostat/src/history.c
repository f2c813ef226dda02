/* The last measurements, in a ring. */
#include "history.h"
#include <assert.h>

static int is_sound(const struct history *h) {
  return h->count <= HISTORY && h->next < HISTORY;
}

int history_add(struct history *h, int value) {
  if (!is_sound(h)) return -1;
  h->values[h->next] = value;
  h->next = (h->next + 1) % HISTORY;
  if (h->count < HISTORY) h->count++;
  assert(is_sound(h));
  return 0;
}

int history_highest(const struct history *h) {
  if (!is_sound(h) || h->count == 0) return -1000;
  int highest = h->values[0];
  for (unsigned i = 1; i < h->count; i++)
    if (h->values[i] > highest) highest = h->values[i];
  assert(highest >= h->values[0]);
  return highest;
}
