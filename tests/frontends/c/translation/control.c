/* Every kind of control flow. */
extern int __VERIFIER_nondet_int(void);

static int classify(int x) {
  switch (x) {
    case 0: return 10;
    case 1:
    case 2: x += 5; /* falls through */
    case 3 ... 5: x *= 2; break;
    default:
      if (x < 0) return -1;
      x = 100;
  }
  return x;
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = __VERIFIER_nondet_int();
  int sum = 0, i = 0;
  int kind = classify(x);
  for (int j = 0; j < 4; j++) {
    if (j == 2) continue;
    sum += j;
    if (sum > 100) break;
  }
  do {
    i++;
    sum -= i;
  } while (i < 3 && sum > -5);
  while (1) {
    if (i++ > 5) break;
    sum += 2;
  }
again:
  if (y > 3) {
    y = y / 2;
    goto again;
  }
  int both = x > 0 && y > 0;
  int either = x > 0 || ++y > 0;
  int chosen = x > y ? x : y < 0 ? -1 : y;
  int not = !x;
  int comma = (sum++, sum + 1);
  if (x == y) sum = 0; else if (x > y) sum = 1; else sum = 2;
  return kind + both + either + chosen + not + comma;
}
