/* Items with a link inside of them. With -DFAULT an item is freed before its link is read. */
#include <stddef.h>
#include <stdlib.h>

extern int nondet_int(void);

struct link { struct link *next; };
struct item { int value; struct link link; };

static struct item *item_of(struct link *l) { return (struct item *)((char *)l - offsetof(struct item, link)); }

static struct link *push(struct link *head, int value) {
  struct item *i = malloc(sizeof *i);
  if (!i) return head;
  i->value = value;
  i->link.next = head;
  return &i->link;
}

static int sum_and_free(struct link *head) {
  int sum = 0;
  while (head) {
    struct item *i = item_of(head);
    sum += i->value & 7;
#ifdef FAULT
    free(i);
    head = head->next;
#else
    head = head->next;
    free(i);
#endif
  }
  return sum;
}

int main(void) {
  struct link *head = 0;
  for (int i = 0; i < 2; i++) head = push(head, nondet_int());
  return sum_and_free(head) > 14;
}
