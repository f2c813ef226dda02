/* Allocated memory, and functions that work on memory. */
typedef unsigned long size_t;
extern void *malloc(size_t);
extern void *calloc(size_t, size_t);
extern void free(void *);
extern void *memset(void *, int, size_t);
extern void *memcpy(void *, const void *, size_t);
extern void *memmove(void *, const void *, size_t);
extern size_t strlen(const char *);
extern int __VERIFIER_nondet_int(void);

struct item { int key; struct item *next; };

int main(void) {
  int n = __VERIFIER_nondet_int();
  struct item *head = 0;
  for (int i = 0; i < 3; i++) {
    struct item *one = malloc(sizeof *one);
    if (!one) return 1;
    one->key = n ^ i;
    one->next = head;
    head = one;
  }
  int sum = 0;
  for (struct item *at = head; at; at = at->next) sum += at->key & 255;
  while (head) {
    struct item *next = head->next;
    free(head);
    head = next;
  }
  int *zeros = calloc(4, sizeof(int));
  if (!zeros) return 1;
  zeros[2] = n;
  int z = zeros[1], set = zeros[2];
  free(zeros);
  char text[8] = "abcd";
  int length = (int)strlen(text);
  char copy[8];
  memset(copy, 0, sizeof copy);
  memcpy(copy, text, 5);
  copy[1] = 'x';
  int c1 = copy[1], c2 = copy[2];
  memmove(copy + 4, text, 4);
  int m1 = copy[4], m2 = copy[7];
  return sum + z + set + length + c1 + c2 + m1 + m2;
}
