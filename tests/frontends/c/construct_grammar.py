"""Small C17 programs from a grammar: one random construct each around a random expression.

A program computes ``result`` without input. The grammar is C's, not a list of what Revet reads: a refusal
is a fine answer, a wrong one is not.
"""

from __future__ import annotations

from random import Random

from construct_records import RecordGrammar

_TYPES = (
    "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long",
)
_BINARY = ("+", "-", "*", "/", "%", "&", "|", "^", "<", "<=", ">", ">=", "==", "!=", "&&", "||", ",")
_ASSIGN = ("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=")


class Grammar(RecordGrammar):
    """Productions; every choice comes from one seeded generator."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def program(self, kind: str | None = None) -> str:
        """A whole program without its last lines: ``result`` holds what is to be observed."""
        kinds = [name for name in dir(self) if name.startswith("construct_")]
        globals_, body = getattr(self, kind or self.random.choice(kinds))()
        return (
            f"extern void abort(void);\nstatic long long result;\n{globals_}\n"
            f"static void construct(void) {{\n  int a = {self.number()}, b = {self.number()};\n"
            f"  unsigned c = {self.random.randint(0, 99)}u; (void)a; (void)b; (void)c;\n{body}\n}}\n"
        )

    # ---- expressions --------------------------------------------------------------------------

    def number(self) -> int:
        return self.random.choice((self.random.randint(-9, 9), self.random.randint(-200, 200)))

    def type(self) -> str:
        return self.random.choice(_TYPES)

    def expression(self, depth: int = 2) -> str:
        choice = self.random.random()
        if depth == 0 or choice < 0.2:
            literal = f"{self.random.randint(0, 50)}u"
            return self.random.choice(("a", "b", "c", f"({self.number()})", literal, "'x'"))
        one, other = self.expression(depth - 1), self.expression(depth - 1)
        if choice < 0.65:
            return f"({one} {self.random.choice(_BINARY)} {other})"
        if choice < 0.75:
            return f"(({self.type()}){one})"
        if choice < 0.85:
            return f"({one} ? {other} : {self.expression(depth - 1)})"
        if choice < 0.92:
            return f"({self.random.choice('-~!')}{one})"
        return f"({one} {self.random.choice(('<<', '>>'))} {self.random.randint(0, 7)})"

    # ---- constructs ---------------------------------------------------------------------------

    def construct_expression(self) -> tuple[str, str]:
        return "", f"  result = {self.expression(3)};"

    def construct_assignment(self) -> tuple[str, str]:
        value = self.random.randint(1, 7)
        return "", (
            f"  {self.type()} x = {self.number()};\n  result = x {self.random.choice(_ASSIGN)} {value};\n"
            f"  result = result * 31 + x++; result = result * 31 + --x;"
        )

    def construct_bit_field(self) -> tuple[str, str]:
        sign, width = self.random.choice(("int", "unsigned")), self.random.randint(1, 31)
        struct = f"struct bits {{ {sign} f : {width}; unsigned g : 3; }};"
        return struct, (
            f"  struct bits s = {{ 0, 5 }}; s.f = {self.expression(1)};\n"
            f"  s.g {self.random.choice(_ASSIGN[:3])} {self.number()};\n"
            f"  result = s.f * 10LL + s.g++ + (s.f < -1);"
        )

    def construct_switch(self) -> tuple[str, str]:
        labels = self.random.sample(range(-3, 6), 4)
        return "", (
            f"  for (int i = -3; i < 6; i++) switch (i) {{\n"
            f"    case {labels[0]}: result += {self.number()};\n"
            f"    case {labels[1]}: switch (a & 1) {{ case 0: result ^= 5; break; default: result ^= 9; }}\n"
            f"      break;\n"
            f"    case {labels[2]}: {{ if (b > 0) {{ case {labels[3]}: result = result * 2 + 1; }} }}\n"
            f"    default: result -= i; }}"
        )

    def construct_jumps(self) -> tuple[str, str]:
        count = self.random.randint(1, 9)
        return "", (
            f"  int n = {count}, i = 0;\n  if (a > 0) goto inside;\n"
            f"  while (i < n) {{ i++; if (i == 3) continue;\n"
            f"  inside: result = result * 3 + i; if (i == 7) break; }}\n"
            f"  do {{ result += --n; }} while (n > 0);\n  n = ({count} + 3) / 4;\n"
            f"  switch ({count} % 4) {{ case 0: do {{ result += 1; case 3: result *= 2;\n"
            f"    case 2: result += 3; case 1: result ^= 4; }} while (--n > 0); }}"
        )

    def construct_structure(self) -> tuple[str, str]:
        return "struct pair { char tag; struct { short x, y; }; int v[3]; };", (
            f"  struct pair p = {{ .v = {{ [1] = {self.expression(1)} }}, .x = {self.number()} }}, q = p;\n"
            f"  q.v[2] = p.v[1] & 255; p = a > 0 ? q : p;\n"
            f"  result = (b, p).v[2] + p.x + q.y + (long)sizeof(p.v);\n"
            f"  result += ((struct pair){{ .tag = 3, .v = {{ 1, 2 }} }}).v[1];"
        )

    def construct_pointers(self) -> tuple[str, str]:
        index = self.random.randint(0, 3)
        return "static int add(int *p, int n) { *p += n; return *p; }", (
            f"  int v[4] = {{ 1, 2, 3, 4 }}, *p = v, (*f)(int *, int) = add; {self.type()} k = {index};\n"
            f"  *p++ += 5; p[1]--; result = f(&v[k], {self.number()}) * 100LL; result += p - v;\n"
            f"  int (*row)[2] = (int (*)[2])0; (void)row; result = result * 7 + v[0] + v[2] + \"hello\"[k];"
        )

    def construct_functions(self) -> tuple[str, str]:
        step = self.random.randint(1, 3)
        return (
            f"static int depth(int n) {{ static int calls; calls++;\n"
            f"  return n <= 0 ? calls : depth(n - {step}); }}\n"
            "enum color { RED = 3, GREEN, BLUE = 9 };\n_Static_assert(GREEN == 4, \"\");"
        ), (
            f"  result = depth({self.random.randint(0, 6)});\n"
            f"  result = result * 10 + depth(2) + (enum color)GREEN + BLUE;"
        )

    def construct_statement_expression(self) -> tuple[str, str]:
        return "", f"  result = ({{ int t = {self.expression(1)} & 15; t += 2; t * t; }}) + (a ?: 7);"

    def construct_union(self) -> tuple[str, str]:
        return "union view { unsigned u; unsigned char b[4]; short s; };", (
            f"  union view w = {{ {self.random.randint(0, 2**32 - 1)}u }};\n"
            f"  w.b[1] ^= 85; result = w.u + (w.s < 0);"
        )

    def construct_generic(self) -> tuple[str, str]:
        return "", (
            f"  {self.type()} x = 1;\n"
            f"  result = _Generic(x + a, int: 1, unsigned: 2, long: 3, unsigned long: 4, default: 5) * 10\n"
            f"    + _Generic((x), int: 1, short: 2, default: 3) + (int)sizeof(x + 1) + (int)_Alignof(long);"
        )

    def construct_floating(self) -> tuple[str, str]:
        one, other = self.random.randint(1, 999), self.random.randint(1, 99)
        return "", (
            f"  double d = {one}.25 / {other}; float f = (float)d; d -= f; f *= {other}; f++;\n"
            f"  result = (int)f + (d < 0 ? 1 : d > 0 ? 2 : 3) + (d == d) + (f > 1e3f);"
        )

    def construct_storage(self) -> tuple[str, str]:
        kind = self.random.choice(("static", "auto", "register", "const", "volatile", "static const", ""))
        type, op = self.type(), self.random.choice(_BINARY[:8])
        outer = self.random.choice(("static ", "", "const "))
        return f"{outer}{type} shared = {self.number()};", (
            f"  for (int i = 0; i < 3; i++) {{ {kind} {self.type()} x = {self.random.randint(1, 9)};\n"
            f"    result = result * 3 + (x {op} ((int)shared | 1)); }}"
        )

    def construct_operator(self) -> tuple[str, str]:
        """Every operator with every pair of types."""
        one, other, op = self.type(), self.type(), self.random.choice((*_BINARY, "<<", ">>"))
        right = self.random.randint(0, 7) if op in ("<<", ">>") else self.number()
        return "", (
            f"  {one} x = ({one}){self.number()}; {other} y = ({other}){right}; _Bool t = x {op} y;\n"
            f"  result = (x {op} y) + t * 2LL + ((x {op} y) < 0) * 4LL + (int)sizeof(x {op} y) * 8LL;"
        )

    def construct_variable_length(self) -> tuple[str, str]:
        n, m = self.random.randint(1, 5), self.random.randint(1, 4)
        return "static int total(int n, int v[n]) { int s = 0; while (n-- > 0) s += v[n]; return s; }", (
            f"  int n = {n}, m = {m}; {self.type()} v[n][m]; int w[n + 1];\n"
            f"  for (int i = 0; i <= n; i++) w[i] = i * {self.number()};\n"
            f"  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) v[i][j] = i * 3 + j;\n"
            f"  n = 9; result = (int)sizeof v + (int)sizeof v[0] * 100 + v[{n - 1}][m - 1] + total({n}, w);"
        )

    def construct_literal(self) -> tuple[str, str]:
        """Compound literals and initialisers of every shape."""
        return "struct in { int k, v[3]; }; struct out { struct in a[2]; char t[4]; long z; };", (
            f"  struct out o = {{ .a[1].v[1 ... 2] = {self.number()}, .a = {{ [0] = {{ 1, {{ 2 }} }} }},\n"
            f"    .t = \"ab\", {self.number()} }};\n"
            f"  int *p = (int[]){{ {self.expression(1)}, 2, [4] = 7 }};\n"
            f"  const char *s = (char[]){{ \"xyz\" }};\n"
            f"  result = o.a[1].v[2] + o.a[0].v[0] * 3 + o.t[1] + o.z + p[4] + p[0] + s[2];\n"
            f"  result += (&(struct in){{ .v[1] = 5, 6 }})->v[2];"
        )

    def construct_members(self) -> tuple[str, str]:
        """Pointers to members, and offsets."""
        return "struct node { char c; short s[2]; struct node *next; unsigned f : 5, : 0, g : 3; };", (
            f"  struct node x = {{ .c = {self.random.randint(0, 99)} }};\n"
            f"  struct node y = {{ .next = &x, .f = 37, .g = 9 }};\n"
            f"  short *p = &y.s[1]; char *k = &x.c; *p = {self.number()}; p[-1] = 4; (*k)++;\n"
            f"  struct node **q = &y.next; (*q)->s[0] = *p; q[0]->f = ~0;\n"
            f"  result = y.s[1] + x.s[0] * 3 + y.next->c + x.f + y.f * 5 + y.g\n"
            f"    + (int)__builtin_offsetof(struct node, s[1]) + ((char *)p - (char *)&y);"
        )

    def construct_function_pointers(self) -> tuple[str, str]:
        index = self.random.randint(0, 2)
        return (
            "static int inc(int x) { return x + 1; }\nstatic int dbl(int x) { return x * 2; }\n"
            "static int neg(int x) { return -x; }\ntypedef int (*op)(int);\n"
            "static op choose(int k) {\n"
            "  static const op all[3] = { inc, [2] = neg, [1] = dbl }; return all[k]; }\n"
            "static int fold(op f, op g, int x) { return f(g(x)); }"
        ), (
            f"  op f = choose({index});\n"
            f"  result = fold(f, choose(({index} + 1) % 3), a) + (*f)(b) + (f == dbl);\n"
            f"  struct {{ op f; int x; }} s = {{ f ? f : inc, 5 }}; result = result * 7 + s.f(s.x);"
        )

    def construct_old_style(self) -> tuple[str, str]:
        return "static int old(c, s, x) char c; short s; long x; { return c * 3 + s + (int)x; }", (
            f"  result = old({self.random.randint(0, 300)}, {self.number()}, {self.number()}L);"
        )

    def construct_blocks(self) -> tuple[str, str]:
        """Jumps into blocks, out of loops, and labels as values."""
        count = self.random.randint(2, 6)
        return "", (
            f"  int i = 0; void *to[2] = {{ &&even, &&odd }};\n"
            f"  if (b < 0) goto deep;\n  for (;;) {{ {{ int t; t = 2; result += t;\n"
            f"  deep: t = i; result ^= t; }}\n"
            f"    if (++i > {count}) break; goto *to[i & 1];\n"
            f"  even: result += 10; continue;\n  odd: result -= 3; }}\n  result = result * 5 + i;"
        )

    def construct_variadic(self) -> tuple[str, str]:
        return (
            "static long long sum(int n, ...) {\n"
            "  long long s = 0; __builtin_va_list l; __builtin_va_start(l, n);\n"
            "  while (n-- > 0) s = s * 3 + __builtin_va_arg(l, int); __builtin_va_end(l); return s; }"
        ), f"  result = sum(3, {self.number()}, (short){self.number()}, 'c');"

    def construct_matrix(self) -> tuple[str, str]:
        row, column = self.random.randint(0, 2), self.random.randint(0, 3)
        return f"static {self.type()} m[3][4] = {{ {{ 1, 2 }}, [2] = {{ [3] = 9 }}, }};", (
            f"  int i = {row}, j = {column}; m[i][j] += 5; m[(i + 1) % 3][j] = m[i][j] - 1;\n"
            f"  {{ __typeof__(m[0]) *p = m + 1; result = (*p)[j] + p[-1][1] + *(*(m + 2) + 3); }}\n"
            f"  for (i = 0; i < 3; i++) for (j = 3; j >= 0; j--) result = result * 2 + m[i][j];"
        )

    def construct_records(self) -> tuple[str, str]:
        return (
            "struct v { short x; union { int i; unsigned char b[4]; } u; };\n"
            "static struct v swap(struct v p, struct v *q) { struct v t = *q; *q = p; t.u.i++; return t; }"
        ), (
            f"  struct v p = {{ 1, {{ .i = {self.expression(1)} & 65535 }} }};\n"
            f"  struct v q = {{ .x = {self.number()} }};\n"
            f"  struct v r = swap(p, &q); q.u.b[1] ^= 3; p = r = q;\n"
            f"  result = r.x + p.u.i + swap(q, &p).u.i * 3LL + p.u.b[0];"
        )

    def construct_text(self) -> tuple[str, str]:
        index = self.random.randint(0, 4)
        return 'static const char *names[] = { "a\\x41\\n", "b" "c\\101", [3] = "\\0z" };', (
            f"  char t[] = \"hello\"; const char *p = t; int w = L'\\x3b1', n = 0; t[{index}] ^= 1;\n"
            f"  while (*p) n = n * 3 + *p++; result = n + w + names[1][2] + names[3][1] + (names[2] == 0)\n"
            f"    + (int)sizeof t + (int)sizeof \"a\\0b\" + U\"x\"[0] + ({index})[\"world\"];"
        )

    def construct_wide(self) -> tuple[str, str]:
        return "enum big { SMALL = -1, LARGE = 1 << 20 };", (
            f"  __int128 w = (__int128){self.number()} * {self.random.getrandbits(60)}LL;\n"
            f"  unsigned long long u = w >> 7; enum big e = w < 0 ? SMALL : LARGE; w += e;\n"
            f"  result = (long long)(u % 1000003) + (int)(w % 97) + e;"
        )

    def construct_overflowing_builtin(self) -> tuple[str, str]:
        one, other = self.type(), self.type()
        op = self.random.choice(("add", "sub", "mul"))
        return "", (
            f"  {one} x = ({one}){self.random.getrandbits(40)};\n"
            f"  {self.type()} y = {self.number()}; {other} r;\n"
            f"  result = __builtin_{op}_overflow(x, y, &r); result = result * 3 + r % 1000;\n"
            f"  result += __builtin_popcount(c) + __builtin_clz(c | 1) + __builtin_ctz(c | 8);"
        )
