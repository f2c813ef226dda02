/* Decodes UTF-8 from a buffer with a length. With -DFAULT a sequence may run over the end. */
#include <assert.h>

extern unsigned char nondet_uchar(void);

static int length_of(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xC0) return 0;
  if (lead < 0xE0) return 2;
  if (lead < 0xF0) return 3;
  return lead < 0xF8 ? 4 : 0;
}

static int decode(const unsigned char *text, int left, unsigned *code) {
  int length = length_of(text[0]);
#ifdef FAULT
  if (length == 0) return 0;
#else
  if (length == 0 || length > left) return 0;
#endif
  unsigned value = length == 1 ? text[0] : text[0] & (0x7Fu >> length);
  for (int i = 1; i < length; i++) value = value << 6 | (text[i] & 0x3Fu);
  *code = value;
  return length;
}

int main(void) {
  unsigned char text[4];
  unsigned code = 0;
  for (int i = 0; i < 4; i++) text[i] = nondet_uchar();
  for (int at = 0; at < 4;) {
    int length = decode(text + at, 4 - at, &code);
    if (length == 0) break;
    assert(code < 0x200000);
    at += length;
  }
  return 0;
}
