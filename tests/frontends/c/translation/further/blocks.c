/* Blocks that are filled and copied: elements of every kind, sizes known and not, both directions. */
typedef unsigned long size_t;
extern void *malloc(size_t), *realloc(void *, size_t);
extern void free(void *);
extern void *memset(void *, int, size_t), *memcpy(void *, const void *, size_t);
extern void *memmove(void *, const void *, size_t);
extern int memcmp(const void *, const void *, size_t);
extern int __VERIFIER_nondet_int(void);

struct pair { short low; int high; };

int main(void) {
  int n = __VERIFIER_nondet_int() & 7;
  unsigned char bytes[8] = {9, 9, 9, 9, 9, 9, 9, 9};
  memset(bytes + 1, n + 200, (size_t)n);
  int before = bytes[0], filled = bytes[1], behind = bytes[7];
  int numbers[4] = {1, 2, 3, 4};
  memset(numbers, n & 1 ? -1 : 0x1FF, 2 * sizeof(int));
  int number = numbers[1], kept = numbers[2];
  memset(&numbers[3], 0, sizeof(int));
  int zero = numbers[3];
  struct pair one = {7, n}, two = {8, 8}, pairs[3] = {{1, 1}, {2, 2}, {3, 3}};
  memcpy(&two, &one, sizeof one);
  memcpy(pairs + 1, pairs, sizeof one * (n > 3));
  int copied = two.low * 100 + two.high, shifted = pairs[1].high * 10 + pairs[2].low;
  unsigned char line[6] = {1, 2, 3, 4, 5, 6};
  memmove(line + 1, line, (size_t)(n % 5));
  int up = line[1] + 10 * line[2] + 100 * line[5];
  memmove(line, line + 2, (size_t)(n % 4));
  int down = line[0] + 10 * line[1] + 100 * line[3];
  int equal = memcmp(bytes, line, 2) == 0;
  int *block = malloc(3 * sizeof(int));
  if (!block) return 1;
  block[0] = n; block[2] = 5;
  block = realloc(block, 6 * sizeof(int));
  if (!block) return 1;
  block[5] = 6;
  int first = block[0], third = block[2], last = block[5];
  free(block);
  return before + filled + behind + number + kept + zero + copied + shifted + up + down + equal + first + third + last;
}
