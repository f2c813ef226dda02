/* Bytes in a ring: first in, first out. With -DFAULT the place of a new byte does not wrap around. */
#include <assert.h>

extern int nondet_int(void);
extern unsigned char nondet_uchar(void);

#define SIZE 4u
struct ring {
  unsigned char bytes[SIZE];
  unsigned first, count;
};

static int put(struct ring *r, unsigned char byte) {
  if (r->count == SIZE) return 0;
#ifdef FAULT
  r->bytes[r->first + r->count] = byte;
#else
  r->bytes[(r->first + r->count) % SIZE] = byte;
#endif
  r->count++;
  return 1;
}

static int take(struct ring *r, unsigned char *byte) {
  if (r->count == 0) return 0;
  *byte = r->bytes[r->first];
  r->first = (r->first + 1) % SIZE;
  r->count--;
  return 1;
}

int main(void) {
  struct ring r = {{0}, 0, 0};
  unsigned char byte = 0, last = 0;
  for (int i = 0; i < 6; i++) {
    if (nondet_int()) {
      last = nondet_uchar();
      if (!put(&r, last)) assert(r.count == SIZE);
    } else if (take(&r, &byte) && r.count == 0) {
      assert(byte == last); /* what comes out last went in last */
    }
    assert(r.count <= SIZE && r.first < SIZE);
  }
  return 0;
}
