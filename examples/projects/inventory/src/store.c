/* A store with a capacity, part of which may be reserved. -DSEEDED=1 brings a mistake. */
#include "store.h"
#include <assert.h>

static int is_sound(const struct store *s) {
  return s->capacity <= 1000000 && s->used <= s->capacity && s->reserved <= s->capacity - s->used;
}

int store_reserve(struct store *s, unsigned amount) {
  if (!is_sound(s)) return -1;
#if SEEDED == 1
  if (amount > s->capacity - s->used) return -1;
#else
  if (amount > s->capacity - s->used - s->reserved) return -1;
#endif
  s->reserved += amount;
  assert(is_sound(s));
  return 0;
}

int store_commit(struct store *s, unsigned amount) {
  if (!is_sound(s) || amount > s->reserved) return -1;
  s->reserved -= amount;
  s->used += amount;
  assert(is_sound(s));
  return 0;
}
