extern void __VERIFIER_error(void);
union word { unsigned int whole; unsigned char part[4]; };
int main() {
  union word w;
  w.whole = 0x01020304;
  if (w.part[0] != 4 || w.part[3] != 1) __VERIFIER_error();
  w.part[1] = 0xff;
  if (w.whole != 0x0102ff04) __VERIFIER_error();
  int x = -2;
  unsigned char *bytes = (unsigned char *)&x;
  bytes[0] = 0;
  if (x != -256) __VERIFIER_error();
  const char *text = "hi";
  if (text[0] != 'h' || text[2]) __VERIFIER_error();
  return 0;
}
