extern void __VERIFIER_error(void);
extern void *malloc(__SIZE_TYPE__ size);
struct node { int value; struct node *next; };
int main() {
  struct node *head = 0;
  for (int i = 0; i < 3; i++) {
    struct node *n = malloc(sizeof(struct node));
    if (!n) return 0;
    n->value = i; n->next = head; head = n;
  }
  int sum = 0;
  for (struct node *n = head; n; n = n->next) sum = sum * 10 + n->value;
  if (sum != 210) __VERIFIER_error();
  return 0;
}
