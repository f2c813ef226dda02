// Union read through a pointer
union u { float f; int i; };

int main(void) {
  union u u;
  u.i = 0x3f800000;
  float *p = (float *)&u;
  r[0] = *p == 1.0f;
  u.f = 2;
  r[1] = *(int *)&u;
  return 0;
}
