/* States are functions in a table. With -DFAULT an event that is out of range picks the next state. */
#include <assert.h>

extern int nondet_int(void);

enum state { IDLE, RUNNING, DONE, STATES };
typedef enum state (*step)(int event);

static int ticks;
static enum state idle(int event) { return event == 1 ? RUNNING : IDLE; }
static enum state running(int event) { return ++ticks >= 2 || event == 2 ? DONE : RUNNING; }
static enum state done(int event) { return event == 3 ? IDLE : DONE; }
static const step table[STATES] = {idle, running, done};

int main(void) {
  enum state now = IDLE;
  for (int i = 0; i < 4; i++) {
    int event = nondet_int();
#ifdef FAULT
    if (event > 3) now = (enum state)(event & 3);
#else
    if (event > 3) now = IDLE;
#endif
    now = table[now](event);
    assert(now < STATES);
  }
  return 0;
}
