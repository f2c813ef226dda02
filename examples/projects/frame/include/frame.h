#ifndef FRAME_H
#define FRAME_H

#define START 0x7e
#define MOST 64 /* bytes of a payload */

struct header {
  unsigned char start, kind, length, check;
};

enum kind { PING, DATA, ACK, KINDS };

int header_payload(const struct header *h);
void header_make(struct header *h, enum kind kind, unsigned length);
unsigned char header_check(const struct header *h);
unsigned escaped_size(unsigned char byte);

#endif
