#ifndef HISTORY_H
#define HISTORY_H

#define HISTORY 8

struct history {
  unsigned count, next;
  int values[HISTORY];
};

int history_add(struct history *h, int value);
int history_highest(const struct history *h);

#endif
