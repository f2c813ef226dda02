// Pointers to links

struct node { int value; struct node *next; };
struct pair { long wide; int small; };
int main(void) {
  struct node *head = 0, **tail = &head;
  for (int i = 0; i < 3; i++) {
    struct node *n = malloc(sizeof *n);
    n->value = i + 1; n->next = 0; *tail = n; tail = &n->next;
  }
  for (struct node **p = &head; *p;)
    if ((*p)->value == 2) { struct node *gone = *p; *p = gone->next; free(gone); }
    else p = &(*p)->next;
  for (struct node *n = head; n; n = n->next) r[0] = 10 * r[0] + n->value;
  struct pair *pair = malloc(sizeof *pair), **where = &pair;
  (*where)->wide = 5; (*where)->small = 6;
  int *small = &pair->small;
  *small += 1;
  r[1] = pair->small; r[2] = (int)pair->wide;
  free(pair);
  return 0;
}
