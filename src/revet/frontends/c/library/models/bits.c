static int revet_ones(unsigned x) {
  x -= x >> 1 & 0x55555555u;
  x = (x & 0x33333333u) + (x >> 2 & 0x33333333u);
  x = (x + (x >> 4)) & 0x0f0f0f0fu;
  x += x >> 8;
  x += x >> 16;
  return (int)(x & 63u);
}

static int revet_above(unsigned x) {
  int n = 0;
  if (!(x >> 16)) { n += 16; x <<= 16; }
  if (!(x >> 24)) { n += 8; x <<= 8; }
  if (!(x >> 28)) { n += 4; x <<= 4; }
  if (!(x >> 30)) { n += 2; x <<= 2; }
  return x >> 31 ? n : n + 1;
}

static int revet_below(unsigned x) {
  int n = 0;
  if (!(x & 0xffffu)) { n += 16; x >>= 16; }
  if (!(x & 0xffu)) { n += 8; x >>= 8; }
  if (!(x & 0xfu)) { n += 4; x >>= 4; }
  if (!(x & 3u)) { n += 2; x >>= 2; }
  return x & 1u ? n : n + 1;
}

int revet_builtin_popcount(unsigned x) { return revet_ones(x); }

int revet_builtin_popcountll(unsigned long long x) {
  return revet_ones((unsigned)x) + revet_ones((unsigned)(x >> 32));
}

int revet_builtin_popcountl(unsigned long x) { return revet_builtin_popcountll(x); }

int revet_builtin_parity(unsigned x) { return revet_ones(x) & 1; }

int revet_builtin_parityll(unsigned long long x) { return revet_ones((unsigned)(x >> 32) ^ (unsigned)x) & 1; }

int revet_builtin_parityl(unsigned long x) { return revet_builtin_parityll(x); }

int revet_builtin_clz(unsigned x) { return x ? revet_above(x) : __VERIFIER_nondet_revet_again(); }

int revet_builtin_clzll(unsigned long long x) {
  if (x >> 32) return revet_above((unsigned)(x >> 32));
  return x ? 32 + revet_above((unsigned)x) : __VERIFIER_nondet_revet_again();
}

int revet_builtin_clzl(unsigned long x) {
  return sizeof x == 4 ? revet_builtin_clz((unsigned)x) : revet_builtin_clzll(x);
}

int revet_builtin_ctz(unsigned x) { return x ? revet_below(x) : __VERIFIER_nondet_revet_again(); }

int revet_builtin_ctzll(unsigned long long x) {
  if ((unsigned)x) return revet_below((unsigned)x);
  return x ? 32 + revet_below((unsigned)(x >> 32)) : __VERIFIER_nondet_revet_again();
}

int revet_builtin_ctzl(unsigned long x) { return revet_builtin_ctzll(x); }

int revet_builtin_clrsb(int x) {
  unsigned magnitude = (unsigned)(x < 0 ? ~x : x);
  return magnitude ? revet_above(magnitude) - 1 : 31;
}

int revet_builtin_clrsbll(long long x) {
  unsigned long long magnitude = (unsigned long long)(x < 0 ? ~x : x);
  return magnitude ? revet_builtin_clzll(magnitude) - 1 : 63;
}

int revet_builtin_clrsbl(long x) { return sizeof x == 4 ? revet_builtin_clrsb((int)x) : revet_builtin_clrsbll(x); }

unsigned short revet_builtin_bswap16(unsigned short x) { return (unsigned short)(x >> 8 | x << 8); }

unsigned revet_builtin_bswap32(unsigned x) {
  return x >> 24 | (x >> 8 & 0xff00u) | (x & 0xff00u) << 8 | x << 24;
}

unsigned long long revet_builtin_bswap64(unsigned long long x) {
  return (unsigned long long)revet_builtin_bswap32((unsigned)x) << 32 | revet_builtin_bswap32((unsigned)(x >> 32));
}
