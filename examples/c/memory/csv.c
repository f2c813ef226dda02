/* Reads a line of numbers with commas between them. With -DFAULT more numbers than there is room for are kept. */
#include <assert.h>
#include <stdlib.h>

extern char nondet_char(void);

#define MOST 1
static long values[MOST];

/* How many numbers stand in the line; -1 if it is not understood, or has too many. */
static int read_line(const char *line) {
  int count = 0;
  for (;;) {
    char *end;
    long value = strtol(line, &end, 10);
    if (end == line) return -1;
#ifndef FAULT
    if (count == MOST) return -1;
#endif
    values[count++] = value;
    if (*end == '\0') return count;
    if (*end != ',') return -1;
    line = end + 1;
  }
}

int main(void) {
  char line[4];
  for (int i = 0; i < 3; i++) line[i] = nondet_char();
  line[3] = '\0';
  int count = read_line(line);
  assert(count == -1 || (1 <= count && count <= MOST));
  return 0;
}
