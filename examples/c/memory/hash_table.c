/* Chains of entries in a few buckets. With -DFAULT a negative key picks a bucket that is not there. */
#include <assert.h>
#include <stdlib.h>

extern int nondet_int(void);

#define BUCKETS 4
struct entry { int key, value; struct entry *next; };
static struct entry *table[BUCKETS];

static int bucket_of(int key) {
#ifdef FAULT
  return key % BUCKETS;
#else
  return (int)((unsigned)key % BUCKETS);
#endif
}

static int put(int key, int value) {
  struct entry **bucket = &table[bucket_of(key)];
  struct entry *e = malloc(sizeof *e);
  if (!e) return 0;
  e->key = key;
  e->value = value;
  e->next = *bucket;
  *bucket = e;
  return 1;
}

static int get(int key, int otherwise) {
  for (struct entry *e = table[bucket_of(key)]; e; e = e->next)
    if (e->key == key) return e->value;
  return otherwise;
}

static void clear(void) {
  for (int i = 0; i < BUCKETS; i++)
    while (table[i]) {
      struct entry *e = table[i];
      table[i] = e->next;
      free(e);
    }
}

int main(void) {
  int key = nondet_int(), other = nondet_int();
  int there = put(key, 1) && (other == key || put(other, 2));
  if (there) assert(get(key, 0) == 1);
  clear();
  return 0;
}
