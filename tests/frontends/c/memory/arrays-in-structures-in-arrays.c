// Arrays in structures in arrays
struct in { short v[3]; };
struct out { char c; struct in i[2]; } o[2];

int main(void) {
  o[1].i[1].v[2] = 7;
  struct out *p = &o[1];
  r[0] = p->i[1].v[2];
  struct in t = p->i[1];
  t.v[2]++;
  o[0].i[0] = t;
  r[1] = o[0].i[0].v[2];
  r[2] = sizeof o;
  return 0;
}
