// Memset of floats and pointers
struct s { float f; int *p; double d; };

int main(void) {
  struct s s, t;
  memset(&s, 0, sizeof s);
  memset(&t, 0x40, sizeof t);
  r[0] = s.f == 0;
  r[1] = s.p == 0;
  r[2] = (int)(t.f * 1000);
  r[3] = t.d > 32;
  return 0;
}
