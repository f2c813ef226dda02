static int revet_any_truth(int truth) {
  int result;
  if (!truth) return 0;
  result = __VERIFIER_nondet_revet_truth();
  __VERIFIER_assume(result != 0);
  return result;
}

int revet_truth_isdigit(int c) { __revet_require(c >= -1 && c <= 255); return c >= '0' && c <= '9'; }

int revet_truth_isupper(int c) { __revet_require(c >= -1 && c <= 255); return c >= 'A' && c <= 'Z'; }

int revet_truth_islower(int c) { __revet_require(c >= -1 && c <= 255); return c >= 'a' && c <= 'z'; }

int revet_truth_isalpha(int c) { __revet_require(c >= -1 && c <= 255); return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

int revet_truth_isalnum(int c) {
  __revet_require(c >= -1 && c <= 255);
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

int revet_truth_isblank(int c) { __revet_require(c >= -1 && c <= 255); return c == ' ' || c == '\t'; }

int revet_truth_iscntrl(int c) { __revet_require(c >= -1 && c <= 255); return (c >= 0 && c < 32) || c == 127; }

int revet_truth_isgraph(int c) { __revet_require(c >= -1 && c <= 255); return c > 32 && c < 127; }

int revet_truth_isprint(int c) { __revet_require(c >= -1 && c <= 255); return c >= 32 && c < 127; }

int revet_truth_ispunct(int c) { __revet_require(c >= -1 && c <= 255); return revet_truth_isgraph(c) && !revet_truth_isalnum(c); }

int revet_truth_isspace(int c) { __revet_require(c >= -1 && c <= 255); return c == ' ' || (c >= 9 && c <= 13); }

int revet_truth_isxdigit(int c) {
  __revet_require(c >= -1 && c <= 255);
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f');
}

int isdigit(int c) { return revet_any_truth(revet_truth_isdigit(c)); }

int isupper(int c) { return revet_any_truth(revet_truth_isupper(c)); }

int islower(int c) { return revet_any_truth(revet_truth_islower(c)); }

int isalpha(int c) { return revet_any_truth(revet_truth_isalpha(c)); }

int isalnum(int c) { return revet_any_truth(revet_truth_isalnum(c)); }

int isblank(int c) { return revet_any_truth(revet_truth_isblank(c)); }

int iscntrl(int c) { return revet_any_truth(revet_truth_iscntrl(c)); }

int isgraph(int c) { return revet_any_truth(revet_truth_isgraph(c)); }

int isprint(int c) { return revet_any_truth(revet_truth_isprint(c)); }

int ispunct(int c) { return revet_any_truth(revet_truth_ispunct(c)); }

int isspace(int c) { return revet_any_truth(revet_truth_isspace(c)); }

int isxdigit(int c) { return revet_any_truth(revet_truth_isxdigit(c)); }

int tolower(int c) { __revet_require(c >= -1 && c <= 255); return c >= 'A' && c <= 'Z' ? c + 32 : c; }

int toupper(int c) { __revet_require(c >= -1 && c <= 255); return c >= 'a' && c <= 'z' ? c - 32 : c; }

int _tolower(int c) { return c + 32; }

int _toupper(int c) { return c - 32; }

int isascii(int c) { return (c & ~127) == 0; }

int toascii(int c) { return c & 127; }
