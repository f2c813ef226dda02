/* compound literals of scalars, and a structure that is declared in a macro's argument */
#include <assert.h>
#define TWICE(x) (sizeof(x) + (x))
extern int __VERIFIER_nondet_int(void);

static int sum(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    sum += (int){i};
    int *p = &(int){i * 2};
    sum += *p;
    sum += ++(int){7};
  }
  return sum;
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  int same = (int){x};
  double half = (double){1.5};
  char *text = (char *){"ab"};
  int ten = x != 0 && (int){x / x} ? 10 : 0;
  assert(same == x && half == 1.5 && text[1] == 'b' && sum(3) == 33 && (ten == 10) == (x != 0));
  assert(TWICE(sizeof(struct { char a[3]; })) == 11);
  return 0;
}
