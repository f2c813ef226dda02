/* Calls: recursion, static variables, globals changed on the way, effects in arguments. */
extern int __VERIFIER_nondet_int(void);

static int calls;
int global = 3;

static int next(void) {
  static int state = 7;
  calls++;
  state = (state * 5 + 3) % 64;
  return state;
}

static int factorial(int n) {
  if (n <= 1) return 1;
  return n * factorial(n - 1);
}

static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

static void change(int by) {
  if (by == 0) return;
  global += by;
}

static int early(int x) {
  for (int i = 0; i < 10; i++)
    if (i * i >= x) return i;
  return -1;
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  int small = n & 3;
  int first = next();
  int second = next() + first;
  int product = factorial(small + 1);
  int tree = fibonacci(small);
  change(n & 15);
  change(0);
  int now = global;
  int root = early(n & 127);
  int i = 0;
  int old = i++;
  int fresh = ++i;
  i += i--, i++;
  int both = __VERIFIER_nondet_int() & 1;
  if (both && next() > 10) global = -global;
  int in_all = calls;
  return second + product + tree + now + root + old + fresh + in_all;
}
