/* Every statement; the result is computed, so the proof is a single run. */
extern void __VERIFIER_error(void);
int trace = 0;
static int step(int n) { trace = trace * 3 + n; return n; }
int classify(int n) {
  switch (n) {
    case 0: trace += 1;
    case 1: trace += 2; break;
    case 2: { int k = 0; do { k++; if (k == 2) continue; if (k == 4) break; } while (k < 9); trace += k; }
    case 5 ... 7: return 9;
    default: goto out;
  }
  return 1;
out:
  return 2;
}
int main() {
  int a = classify(0) * 1000 + classify(1) * 100 + classify(2) * 10 + classify(3);
  if (a != 1192 || trace != 9 || classify(6) != 9) __VERIFIER_error();
  trace = 0;
  int b = step(1) && !step(0) || step(2);
  if (b != 1 || trace != 3) __VERIFIER_error();
  trace = 0;
  b = step(0) && step(5) ? step(7) : (step(2), step(1));
  if (b != 1 || trace != 7) __VERIFIER_error();
  int i = 3, j;
  j = i++; j += i;
  if (j != 7) __VERIFIER_error();
  j = (i += 2) * 2; j += --i;
  if (i != 5 || j != 17) __VERIFIER_error();
  return 0;
}
