// Bit-fields as an integer
struct s { unsigned a : 3, b : 5, c : 8; int rest; };

int main(void) {
  struct s s = {5, 17, 200, 4};
  unsigned *p = (unsigned *)&s;
  r[0] = *p & 0xffff;
  *p = 0;
  r[1] = s.a;
  r[2] = s.b + s.c;
  r[3] = s.rest;
  return 0;
}
