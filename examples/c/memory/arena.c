/* Small blocks from one buffer. With -DFAULT the room that is left is compared before rounding up. */
#include <assert.h>

extern unsigned nondet_uint(void);

#define SIZE 30u
static unsigned char buffer[SIZE];
static unsigned used;

static unsigned char *take(unsigned size) {
  if (size == 0 || size > SIZE) return 0;
  unsigned rounded = (size + 3u) / 4u * 4u;
#ifdef FAULT
  if (size > SIZE - used) return 0;
#else
  if (rounded > SIZE - used) return 0;
#endif
  unsigned char *block = &buffer[used];
  used += rounded;
  return block;
}

int main(void) {
  for (int i = 0; i < 3; i++) {
    unsigned size = nondet_uint() % 17u;
    unsigned char *block = take(size);
    if (!block) continue;
    block[0] = 1;
    block[size - 1] = 2;
    /* a block ends on a multiple of four, and its last byte is the owner's */
    block[(size + 3u) / 4u * 4u - 1] = 3;
  }
  assert(used <= SIZE);
  return 0;
}
