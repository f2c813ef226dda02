/* Pointers to variables, elements and fields; arguments by address; pointers to pointers. */
extern int __VERIFIER_nondet_int(void);

struct node { int value; struct node *next; };

static void swap(int *a, int *b) {
  int old = *a;
  *a = *b;
  *b = old;
}

static int total(const int *data, int count) {
  int sum = 0;
  for (const int *p = data; p < data + count; p++) sum += *p;
  return sum;
}

static int twice(int x) { return 2 * x; }
static int negated(int x) { return -x; }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < -100000 || n > 100000) return 0;
  int a = n, b = 5;
  swap(&a, &b);
  int data[4] = {1, a, b};
  int *p = &data[1];
  *p += 3;
  p++;
  *p = *p * 2;
  int sum = total(data, 4);
  long between = p - data;
  int **pp = &p;
  **pp = 9;
  int last = data[2];
  struct node second = {n, 0}, first = {1, &second};
  first.next->value++;
  int through = first.next->value;
  int is_null = second.next == 0;
  int (*f)(int) = n > 0 ? twice : negated;
  int called = f(n);
  int (*table[2])(int) = {twice, negated};
  int from_table = table[n & 1](7);
  int *same = n > 3 ? &a : &b;
  *same = 77;
  int after_a = a, after_b = b;
  return sum + (int)between + last + through + is_null + called + from_table + after_a + after_b;
}
