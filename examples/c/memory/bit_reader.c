/* Reads numbers of a few bits from bytes. With -DFAULT the number of bits is not limited. */
#include <assert.h>

extern unsigned char nondet_uchar(void);

struct reader { const unsigned char *data; unsigned size, bit; };

static int read_bits(struct reader *r, unsigned count, unsigned *value) {
  if (count > 8 * r->size - r->bit) return 0;
#ifndef FAULT
  if (count > 16) return 0;
#endif
  *value = 0;
  for (unsigned i = 0; i < count; i++, r->bit++)
    *value = *value << 1 | (r->data[r->bit / 8] >> (7 - r->bit % 8) & 1);
  assert(count == 0 || *value >> (count - 1) <= 1);
  return 1u << (count & 63) != 0;
}

int main(void) {
  unsigned char data[5];
  for (int i = 0; i < 5; i++) data[i] = nondet_uchar();
  struct reader r = {data, 5, 0};
  unsigned value;
  read_bits(&r, nondet_uchar() & 63, &value);
  return 0;
}
