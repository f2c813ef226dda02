#ifndef STORE_H
#define STORE_H

struct store {
  unsigned capacity, used, reserved;
};

int store_reserve(struct store *s, unsigned amount);
int store_commit(struct store *s, unsigned amount);
int store_move(struct store *from, struct store *to, unsigned amount);

#endif
