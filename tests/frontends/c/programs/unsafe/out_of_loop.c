/* A pointer walks over a string and finds the letter. */
extern void __VERIFIER_error(void);
int main() {
  const char *p = "abc";
  int n = 0;
  while (*p) { if (*p == 'c') n++; p++; }
  if (n == 1) __VERIFIER_error();
  return 0;
}
