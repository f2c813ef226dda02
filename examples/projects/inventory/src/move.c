/* Goods go from one store to another. -DSEEDED=2 brings a mistake. */
#include "store.h"
#include <assert.h>

int store_move(struct store *from, struct store *to, unsigned amount) {
  unsigned before = from->used + to->used;
  if (from->used > 1000000 || to->used > 1000000 || amount > from->used) return -1;
  if (store_reserve(to, amount) != 0) return -1;
#if SEEDED != 2
  from->used -= amount;
#endif
  if (store_commit(to, amount) != 0) return -1;
  assert(from->used + to->used == before);
  return 0;
}
