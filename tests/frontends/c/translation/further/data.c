/* Initialisers and strings in memory and in variables, and runs that end by themselves. */
typedef unsigned long size_t;
extern void *memcpy(void *, const void *, size_t);
extern void abort(void), exit(int);
extern int __VERIFIER_nondet_int(void);

struct entry { char name[4]; int value; };

static void leave(int n) {
  if (n == 3) abort();
  if (n == 5) exit(1);
}

int main(void) {
  int n = __VERIFIER_nondet_int() & 7;
  char text[8] = "abcd", full[3] = "xyz";
  int wide[] = L"ab";
  char copy[8];
  memcpy(copy, text, 8);
  struct entry entries[2] = {{"one", n}, {.value = 9, .name = "t"}};
  int letter = text[n] + copy[n], last = full[n % 3], wider = wide[n % 3];
  int name = entries[n & 1].name[n % 4], value = entries[n & 1].value;
  leave(n);
  int after = n;
  return letter + last + wider + name + value + after;
}
