/* Headers of frames on a serial line. -DSEEDED=1 brings a mistake. */
#include "frame.h"
#include <assert.h>

unsigned char header_check(const struct header *h) {
  return h->start ^ h->kind ^ h->length;
}

/* The number of bytes that follow, or -1 if this is no header. */
int header_payload(const struct header *h) {
  if (h->start != START || h->check != header_check(h)) return -1;
#if SEEDED == 1
  if (h->length > 2 * MOST) return -1;
#else
  if (h->length > MOST) return -1;
#endif
  assert(h->length <= MOST);
  return h->length;
}

void header_make(struct header *h, enum kind kind, unsigned length) {
  if (kind >= KINDS || length > MOST) return;
  h->start = START;
  h->kind = (unsigned char)kind;
  h->length = (unsigned char)length;
  h->check = header_check(h);
  assert(header_payload(h) == (int)length);
}
