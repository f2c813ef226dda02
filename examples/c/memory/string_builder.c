/* A string that grows with realloc. With -DFAULT the room for the terminator is forgotten. */
#include <assert.h>
#include <stdlib.h>

extern char nondet_char(void);
extern unsigned char nondet_uchar(void);

struct builder { char *text; unsigned length, room; };

static int reserve(struct builder *b, unsigned room) {
  if (room <= b->room) return 1;
  char *text = realloc(b->text, room);
  if (!text) return 0;
  b->text = text;
  b->room = room;
  return 1;
}

static int append(struct builder *b, char c) {
#ifdef FAULT
  if (!reserve(b, b->length + 1)) return 0;
#else
  if (!reserve(b, b->length + 2)) return 0;
#endif
  b->text[b->length++] = c;
  b->text[b->length] = 0;
  return 1;
}

int main(void) {
  struct builder b = {0, 0, 0};
  unsigned count = nondet_uchar() & 3;
  for (unsigned i = 0; i < count; i++)
    if (!append(&b, nondet_char())) break;
  assert(b.length <= 3);
  free(b.text);
  return 0;
}
