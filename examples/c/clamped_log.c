/* A log of readings, copied and clamped: the copy never exceeds the limit, at any of its 2000 places.
   The proof needs an invariant about all places below i at once: revet finds "for every k …". */
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int readings[2000], clamped[2000];
  int limit = __VERIFIER_nondet_int();
  for (int i = 0; i < 2000; i++) {
    if (readings[i] > limit) clamped[i] = limit;
    else clamped[i] = readings[i];
  }
  for (int i = 0; i < 2000; i++)
    if (clamped[i] > limit) reach_error();
  return 0;
}
