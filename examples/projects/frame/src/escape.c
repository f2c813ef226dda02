/* Bytes that would look like the start of a frame are escaped. -DSEEDED=2 brings a mistake. */
#include "frame.h"
#include <assert.h>

#define ESCAPE 0x7d

static int is_special(unsigned char byte) {
#if SEEDED == 2
  return byte == START;
#else
  return byte == START || byte == ESCAPE;
#endif
}

unsigned escaped_size(unsigned char byte) {
  unsigned size = is_special(byte) ? 2 : 1;
  assert(size == 2 || (byte != START && byte != ESCAPE));
  return size;
}
