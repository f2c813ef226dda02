/* CRC-16 (CCITT), four bits at a time with a table. With -DFAULT the bits that were shifted out stay, and index it. */
#include <assert.h>

extern unsigned char nondet_uchar(void);

static const unsigned table[16] = {
  0x0000, 0x1021, 0x2042, 0x3063, 0x4084, 0x50A5, 0x60C6, 0x70E7,
  0x8108, 0x9129, 0xA14A, 0xB16B, 0xC18C, 0xD1AD, 0xE1CE, 0xF1EF,
};

static unsigned nibble(unsigned crc, unsigned bits) {
  unsigned next = crc << 4 ^ table[crc >> 12 ^ bits];
#ifdef FAULT
  return next;
#else
  return next & 0xFFFFu;
#endif
}

static unsigned crc16(const unsigned char *data, int length) {
  unsigned crc = 0xFFFF;
  for (int i = 0; i < length; i++) {
    crc = nibble(crc, data[i] >> 4);
    crc = nibble(crc, data[i] & 15u);
  }
  return crc;
}

int main(void) {
  unsigned char message[3] = {nondet_uchar(), 0, 0};
  unsigned crc = crc16(message, 1);
  assert(crc <= 0xFFFFu);
  message[1] = (unsigned char)(crc >> 8);
  message[2] = (unsigned char)crc;
  assert(crc16(message, 3) == 0); /* a message with its own checksum */
  return 0;
}
