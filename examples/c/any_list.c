/* A list of any length: built, walked and freed. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
  int value;
  struct node *next;
};

int main(void) {
  struct node *head = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *added = malloc(sizeof *added);
    added->value = 1;
    added->next = head;
    head = added;
  }
  int last = 0;
  for (struct node *at = head; at; at = at->next) last = at->value;
  while (head) {
    struct node *next = head->next;
    free(head);
    head = next;
  }
  return last;
}
