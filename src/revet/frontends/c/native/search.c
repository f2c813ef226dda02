/* A search for inputs that lead a program into its error, inside of the compiled program itself.

   Linked with the program and with the functions that build.py and stubs.py generate. One process makes all the runs:
   a run starts with revet_start() and comes back to run() by longjmp, whether it ends, breaks an assumption, crashes,
   takes too many steps or reaches the error; then the program's variables get their first values again. Steps are
   basic blocks: the compiler calls __sanitizer_cov_trace_pc() in each of them, which also tells what a run has
   reached. The inputs of a run that reached something new are kept, and most runs start from kept inputs: cut off,
   with some values drawn again, or spliced (as grey-box fuzzers do).

   Commands come from standard input, answers go to standard output, and once everything is set up the kernel allows
   nothing but that (seccomp's strict mode): the program that we run is not ours.

   A program that was compiled with checkpoints (validation/) calls revet_at() there, and can be run once with given
   inputs: the answer is then what it told at its checkpoints. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

enum ending { ENDED, STOPPED, CRASHED, LIMIT, REACHED, EXHAUSTED, UNLINKED };
enum style { ZEROS, MIXED, SMALL, BITS, ONES, CONSTANTS, STYLES };
enum { MAP = 1 << 20, MOST_DRAWS = 1 << 17, MOST_KEPT = 1 << 12, POOL = 1 << 21, RECENT = 16, RUN_COSTS = 300, MOST_WORDS = 1 << 18 };
#define TRACE UINT32_MAX /* as entry: one run with as many given inputs as there are steps */
#define ARENA (64u << 20)

/* What the generated file provides. */
extern const long long revet_integers[];
extern const double revet_floats[];
extern const unsigned revet_integer_count, revet_float_count;
extern const int revet_trap_is_error;
extern void revet_start(void);

extern char __data_start[], _end[]; /* the bounds of the program's variables, as the linker knows them */

struct command { uint64_t limit, steps; uint32_t zeros, entry; }; /* entry: show inputs that were kept */
struct answer { uint64_t steps; uint32_t how, runs, drawn, kept; };
struct draw { int64_t value; int32_t function, unused; };

/* All of the search's own memory; mapped, so that it is not among the program's variables. */
struct state {
  jmp_buf back;
  uint64_t random, steps, limit, ticked;
  volatile int running;
  uint32_t tracing, traced;
  uint32_t previous, touched_count, given, drawn, most, more_at, runs, kept, pool_used, heap_used;
  enum style style;
  char *first_values, *arena;
  uint8_t bucket[256], map[MAP], seen[MAP]; /* blocks after blocks: how often now, most in any run */
  uint32_t touched[MAP], touched_after[MAP], least[MAP]; /* after how many values; least in any run, plus 1 */
  uint8_t again[MOST_DRAWS];
  int64_t input[MOST_DRAWS], pool[POOL], trace[MOST_WORDS];
  struct draw draws[MOST_DRAWS];
  struct { uint32_t start, length, open, chosen; } entries[MOST_KEPT];
};
static struct state *S;

/* ---- how a run ends ------------------------------------------------------------------------- */

void revet_end(int how) { longjmp(S->back, how + 1); }

static void crashed(int number) {
  revet_end(revet_trap_is_error && (number == SIGILL || number == SIGTRAP) ? REACHED : CRASHED);
}

/* Some loops have no block of their own (while (1);): no step between two ticks of the clock. */
static void tick(int number) {
  (void)number;
  if (S->running && S->steps == S->ticked) revet_end(LIMIT);
  S->ticked = S->steps;
}

/* ---- chosen values (as Guesses in explore.py) ------------------------------------------------- */

static uint64_t any(void) { /* splitmix64 */
  uint64_t z = S->random += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

static uint32_t below(uint32_t bound) { return (any() >> 32) * bound >> 32; }

static int64_t constant(void) {
  static const int nearby[] = {0, 0, 0, -1, 1};
  return (uint64_t)revet_integers[below(revet_integer_count)] + nearby[below(5)];
}

static int64_t mixed(void) {
  uint32_t kind = below(12);
  if (kind < 4) return (int64_t)below(11) - 2;
  if (kind < 8) return constant();
  if (kind < 11 && S->drawn) return S->draws[below(S->drawn)].value; /* programs compare their inputs */
  return any() >> below(64);
}

static int64_t fresh_integer(void) {
  switch (S->style) {
    case ZEROS: return 0;
    case SMALL: return below(9);
    case BITS: return below(2);
    case ONES: return 1;
    case CONSTANTS: return constant();
    default: return mixed();
  }
}

static double fresh_float(void) {
  double low, high;
  if (S->style == ZEROS) return 0;
  low = revet_floats[below(revet_float_count)];
  high = revet_floats[below(revet_float_count)];
  return low + (high - low) * ((any() >> 11) * 0x1p-53);
}

/* The next value from the inputs that were kept; 0 if it has to be a new one. */
static int kept_value(int64_t *value) {
  if (S->drawn >= S->most) revet_end(S->tracing ? EXHAUSTED : LIMIT);
  if (S->drawn >= S->given || S->again[S->drawn]) return 0;
  *value = S->input[S->drawn];
  return 1;
}

static void record(int function, int64_t value) {
  S->draws[S->drawn].function = function;
  S->draws[S->drawn++].value = value;
}

int64_t revet_integer(int function) {
  int64_t value;
  if (!kept_value(&value)) value = fresh_integer();
  record(function, value);
  return value;
}

double revet_float(int function) {
  int64_t bits;
  double value;
  int kept = kept_value(&bits);
  memcpy(&value, &bits, sizeof value);
  if (!kept || !(value - value == 0)) value = fresh_float();
  memcpy(&bits, &value, sizeof value);
  record(function, bits);
  return value;
}

int64_t revet_given(int function, int64_t value) { /* one that is not ours to choose */
  if (S->drawn >= S->most) revet_end(S->tracing ? EXHAUSTED : LIMIT);
  record(function, value);
  return value;
}

/* ---- checkpoints ---------------------------------------------------------------------------- */

void revet_whole(long long value) {
  if (S->traced == MOST_WORDS) revet_end(LIMIT);
  S->trace[S->traced++] = value;
}

void revet_at(int place) { revet_whole(place); }

void revet_real(double value) {
  int64_t bits;
  memcpy(&bits, &value, sizeof value);
  revet_whole(bits);
}

/* ---- memory ----------------------------------------------------------------------------------- */

/* Blocks hold zeros, as the interpreter's do; all of them are freed when the run ends. */
void *revet_allocate(unsigned long size) {
  char *block = S->arena + S->heap_used + 16;
  if (size > ARENA - 64 || S->heap_used + size > ARENA - 64) revet_end(LIMIT);
  *(unsigned long *)(block - 16) = size;
  S->heap_used += (size + 31) / 16 * 16;
  return block;
}

unsigned long revet_size(void *block) { return *(unsigned long *)((char *)block - 16); }

/* ---- what a run reaches ------------------------------------------------------------------------ */

void __sanitizer_cov_trace_pc(void) {
  struct state *s = S;
  uint32_t here = (uint32_t)(uintptr_t)__builtin_return_address(0) * 2654435761u >> 12;
  uint32_t at = here ^ s->previous;
  s->previous = here >> 1;
  if (++s->steps > s->limit) revet_end(LIMIT);
  if (s->map[at] == 0) {
    s->touched_after[s->touched_count] = s->drawn;
    s->touched[s->touched_count++] = at;
  }
  if (s->map[at] != 255 && s->bucket[++s->map[at]] > s->seen[at]) s->more_at = s->drawn;
}

/* Once, twice, three times, or how many times more. */
static uint8_t bucket(int count) {
  return count < 4 ? count : count < 8 ? 4 : count < 16 ? 5 : count < 32 ? 6 : count < 128 ? 7 : 8;
}

/* After a run: note what it reached, and keep its inputs, up to there, if some of that is new, or
   known only from runs that read more than twice as many values, or if something happened more often. */
static void learn(int how) {
  int new = 0, more = 0;
  uint32_t length = 0;
  for (uint32_t i = 0; i < S->touched_count; i++) {
    uint32_t at = S->touched[i], after = S->touched_after[i];
    uint8_t often = S->bucket[S->map[at]];
    if (how != CRASHED && (!S->least[at] || 2 * after + 1 < S->least[at])) {
      new = 1;
      if (after > length) length = after;
      S->least[at] = after + 1;
    }
    if (how != CRASHED && often > S->seen[at]) {
      more = 1;
      S->seen[at] = often;
    }
    S->map[at] = 0;
  }
  S->touched_count = 0;
  if (!new && more) length = S->more_at;
  if (length && S->kept < MOST_KEPT && length < POOL - S->pool_used) {
    S->entries[S->kept].start = S->pool_used;
    S->entries[S->kept].open = S->drawn > length; /* it read on: other values may follow */
    S->entries[S->kept++].length = length;
    for (uint32_t i = 0; i < length; i++) S->pool[S->pool_used++] = S->draws[i].value;
  }
}

/* ---- one run after the other -------------------------------------------------------------------- */

static void append(uint32_t entry, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to && S->given < MOST_DRAWS; i++) {
    S->again[S->given] = 0;
    S->input[S->given++] = S->pool[S->entries[entry].start + i];
  }
}

static uint32_t chosen_entry(void) {
  uint32_t recent = S->kept < RECENT ? S->kept : RECENT;
  uint32_t one = below(2) ? S->kept - 1 - below(recent) : below(S->kept), other = below(S->kept);
  uint32_t entry = S->entries[one].chosen <= S->entries[other].chosen ? one : other;
  S->entries[entry].chosen++;
  return entry;
}

static void choose_inputs(void) {
  S->style = below(2) ? MIXED : 1 + below(STYLES - 1);
  if (!S->kept || !below(8)) return;
  uint32_t entry = chosen_entry(), length = S->entries[entry].length;
  uint32_t how = S->entries[entry].open ? below(8) : 5 + below(3), cut = how < 3 ? length : below(length + 1);
  if (how == 3 || how == 4) {
    append(entry, 0, cut);
    return;
  }
  append(entry, 0, how == 7 ? cut : length);
  if (how == 7) {
    uint32_t other = chosen_entry(), end = S->entries[other].length;
    append(other, S->entries[other].open ? below(end) : cut, end);
  } else if (how >= 5 && S->given) {
    for (int more = 1 + below(3); more; more--) S->again[below(S->given)] = 1;
  }
}

/* Short ways first: a program that reads for ever must not spend its time on one run. */
static void limit_draws(void) {
  uint32_t longest = 4;
  while (longest < 18 && S->runs >> (longest + 4)) longest++;
  uint32_t fresh = 1u << below(longest);
  if (fresh < MOST_DRAWS - S->given) S->most = S->given + fresh;
}

static int run(void) {
  S->steps = S->drawn = S->more_at = S->previous = 0;
  int how = _setjmp(S->back);
  if (how == 0) {
    S->ticked = UINT64_MAX;
    S->running = 1;
    revet_start();
    how = ENDED + 1;
  }
  S->running = 0;
  memcpy(__data_start, S->first_values, _end - __data_start);
  memset(S->arena, 0, S->heap_used);
  S->heap_used = 0;
  return how - 1;
}

static void search(struct command command, struct answer *answer) {
  S->limit = command.limit;
  do {
    S->style = ZEROS;
    S->given = 0;
    S->most = MOST_DRAWS;
    if (!command.zeros) {
      choose_inputs();
      limit_draws();
    }
    answer->how = run();
    S->runs++;
    answer->runs++;
    answer->steps += S->steps + RUN_COSTS + (_end - __data_start) / 32;
    answer->drawn = S->drawn;
    learn(answer->how);
  } while (answer->how != REACHED && answer->steps < command.steps && !command.zeros);
  answer->kept = S->kept;
}

static void show(uint32_t entry, struct answer *answer) {
  answer->how = REACHED;
  answer->drawn = S->entries[entry].length;
  for (uint32_t i = 0; i < answer->drawn; i++) S->draws[i].value = S->pool[S->entries[entry].start + i];
}

static void leave(void) { syscall(SYS_exit, 0); } /* strict mode knows no other way */

static void receive(void *data, size_t size) {
  for (char *at = data; size;) {
    ssize_t got = read(0, at, size);
    if (got <= 0) leave();
    at += got;
    size -= got;
  }
}

static void trace(struct command command, struct answer *answer) {
  S->given = S->most = command.steps < MOST_DRAWS ? command.steps : MOST_DRAWS;
  receive(S->input, S->given * sizeof *S->input);
  memset(S->again, 0, S->given);
  S->limit = command.limit;
  S->tracing = 1;
  S->traced = 0;
  answer->how = run();
  answer->drawn = S->drawn;
  answer->kept = S->traced;
  S->tracing = 0;
  learn(CRASHED); /* nothing */
}

/* ---- setting up ----------------------------------------------------------------------------------- */

static void *map(size_t size) {
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void *found = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (found == MAP_FAILED) _exit(1);
  return found;
}

static void catch_signals(void) {
  static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT};
  size_t size = 1 << 16;
  stack_t stack = {.ss_sp = map(size), .ss_size = size};
  struct sigaction action = {.sa_handler = crashed, .sa_flags = SA_NODEFER | SA_ONSTACK};
  struct sigaction ticks = {.sa_handler = tick, .sa_flags = SA_NODEFER | SA_ONSTACK | SA_RESTART};
  struct itimerval often = {{0, 200000}, {0, 200000}};
  sigaltstack(&stack, NULL);
  sigaction(SIGVTALRM, &ticks, NULL);
  setitimer(ITIMER_VIRTUAL, &often, NULL);
  for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++) sigaction(signals[i], &action, NULL);
}

static void send(const void *data, size_t size) {
  for (const char *at = data; size;) {
    ssize_t written = write(1, at, size);
    if (written <= 0) leave();
    at += written;
    size -= written;
  }
}

int main(void) { /* the program's own has another name: see stubs.py */
  struct command command;
  S = map(sizeof *S);
  S->random = 1;
  for (int count = 1; count < 256; count++) S->bucket[count] = bucket(count);
  S->arena = map(ARENA);
  S->first_values = map(_end - __data_start);
  memcpy(S->first_values, __data_start, _end - __data_start);
  catch_signals();
  prctl(PR_SET_SECCOMP, 1); /* where there is none, that only pure functions were linked must do */
  while (read(0, &command, sizeof command) == sizeof command) {
    struct answer answer = {0};
    if (command.entry == TRACE) {
      trace(command, &answer);
      send(&answer, sizeof answer);
      send(S->trace, S->traced * sizeof *S->trace);
      continue;
    }
    if (command.entry) show(command.entry - 1, &answer); else search(command, &answer);
    send(&answer, sizeof answer);
    if (answer.how == REACHED) send(S->draws, answer.drawn * sizeof *S->draws);
  }
  leave();
  return 0;
}
