"""What is seldom used and must mean what the compiler makes of it; and questions that were once too hard."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import revet
from revet.errors import Unsupported
from revet.frontends.c import load
from revet.frontends.c.reader import literals

HEAD = """#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
"""


def check(folder: Path, *texts: str, **options: Any) -> revet.Result:
    paths = []
    for number, text in enumerate(texts):
        paths.append(folder / f"p{number}.c")
        paths[-1].write_text(HEAD + text)
    return revet.check(paths if len(paths) > 1 else paths[0], timeout=300, **options)


ENDS = """static int n;
static void first(void) { assert(n == 2); n = 3; }
static void second(void) { assert(n == 1); n = 2; }
__attribute__((destructor)) static void last(void) { assert(n == LAST); }
int main(void) { atexit(first); atexit(second); n = 1; if (__VERIFIER_nondet_int()) exit(1); return 0; }
"""


@pytest.mark.parametrize(("last", "status"), [("3", "safe"), ("2", "unsafe")])
def test_what_runs_at_the_end(tmp_path: Path, last: str, status: str) -> None:
    """Handlers, the last one first, then destructors; after exit() and after a return from main."""
    answer = check(tmp_path, ENDS.replace("LAST", last), engine="bmc")
    assert answer.status == status, answer.verdict


def test_nothing_runs_after_an_abrupt_end(tmp_path: Path) -> None:
    text = """__attribute__((destructor)) static void last(void) { assert(0); }
    int main(void) { if (__VERIFIER_nondet_int()) _Exit(0); abort(); }"""
    assert check(tmp_path, text, engine="bmc", property="assertions").status == "safe"


def test_more_handlers_than_there_is_room_for_decide_nothing(tmp_path: Path) -> None:
    text = """static int n; static void f(void) { n++; assert(n < 33); }
    int main(void) { for (int i = 0; i < 33; i++) atexit(f); return 0; }"""
    assert check(tmp_path, text, engine="bmc").status == "unknown"


WEAK = """__attribute__((weak)) int limit(void) { return 10; }
int main(void) { assert(limit() == %s); return 0; }"""


def test_another_file_may_define_a_weak_function(tmp_path: Path) -> None:
    strong = "int limit(void) { return 11; }"
    assert check(tmp_path, WEAK % 10, engine="bmc").status == "safe"
    assert check(tmp_path, WEAK % 11, strong, engine="bmc").status == "safe"
    assert check(tmp_path, strong, WEAK % 10, engine="bmc").status == "unsafe"
    with pytest.raises(Unsupported, match="defined twice"):
        check(tmp_path, WEAK % 11, strong, strong, engine="bmc")


def test_va_arg_beyond_the_arguments_decides_nothing(tmp_path: Path) -> None:
    text = """#include <stdarg.h>
    static int f(int n, ...) { va_list l; va_start(l, n); int a = va_arg(l, int); return a + va_arg(l, %s); }
    int main(void) { assert(f(0, 1, 2%s) == 3); return 0; }"""
    assert check(tmp_path, text % ("int", ""), engine="bmc").status == "safe"
    assert check(tmp_path, text % ("int", "L"), engine="bmc").status == "unknown"  # another type
    assert check(tmp_path, text % ("long", ""), engine="bmc").status == "unknown"


def test_a_list_is_of_no_use_once_it_is_printed(tmp_path: Path) -> None:
    """What it gives afterwards is another thing on every machine."""
    text = """#include <stdarg.h>
    #include <stdio.h>
    static char b[4];
    static int f(const char *form, ...) { va_list l, m; va_start(l, form); va_copy(m, l);
      vsnprintf(b, 4, form, l); int n = va_arg(%s, int); va_end(l); va_end(m); return n; }
    int main(void) { assert(f("%%d", 7, 8) == 7); return 0; }"""
    assert check(tmp_path, text % "m", engine="bmc", property="assertions").status == "safe"
    assert check(tmp_path, text % "l", engine="bmc", property="assertions").status == "unknown"


LISTS = """#include <stdarg.h>
static int sum(int n, va_list l) { int s = 0; while (n--) s += va_arg(l, int); return s; }
static long long all(int n, ...) {
  va_list l, m; va_start(l, n); va_copy(m, l);
  long long s = sum(n, m) + va_arg(l, int);
  s += va_arg(l, long long); s += (long long)va_arg(l, double); s += *va_arg(l, char *);
  va_end(l); va_end(m); return s;
}
int main(void) { assert(all(1, 3, 1LL << 40, 2.5, "a") == (1LL << 40) + 8 + WANTED); return 0; }"""


@pytest.mark.parametrize(("wanted", "status"), [("'a'", "safe"), ("'b'", "unsafe")])
@pytest.mark.parametrize("data_model", ["ilp32", "lp64"])
def test_lists_of_arguments_on_both(tmp_path: Path, data_model: str, wanted: str, status: str) -> None:
    """On one a list is an array, on the other a pointer."""
    text = LISTS.replace("WANTED", wanted)
    answer = check(tmp_path, text, engine="bmc", data_model=data_model, property="assertions")
    assert answer.status == status, answer.verdict


def test_longjmp_to_a_function_that_has_returned_decides_nothing(tmp_path: Path) -> None:
    text = """#include <setjmp.h>
    static jmp_buf b; static int set(void) { return setjmp(b); }
    int main(void) { int n = set(); assert(n == 0); longjmp(b, 1); }"""
    assert check(tmp_path, text, engine="bmc").status == "unknown"


def test_assembly_that_gives_something(tmp_path: Path) -> None:
    """A run that depends on it counts only if the compiled program shows it."""
    text = """int main(void) { unsigned y, x = 5; __asm__("movl %1, %0" : "=r"(y) : "r"(x));
    assert(WANTED); return 0; }"""
    assert check(tmp_path, text.replace("WANTED", "y - y == 0 && x == 5"), engine="bmc").status == "safe"
    assert check(tmp_path, text.replace("WANTED", "y == 5"), engine="bmc").status == "unknown"


def test_assembly_that_leaves_memory_alone(tmp_path: Path) -> None:
    """Barriers and switched interrupts, whatever they clobber."""
    text = """static int n = 1; int main(void) { __asm__ volatile("cpsid i" ::: "memory"); n++;
    __asm__ volatile("dsb sy\\n\\tcpsie i" ::: "memory"); __asm__ volatile("rep; nop; MFENCE" ::: "memory");
    assert(n == 2); return 0; }"""
    assert check(tmp_path, text, engine="bmc").status == "safe"
    assert check(tmp_path, text.replace("cpsid i", "strb w1, [x0]"), engine="bmc").status == "unknown"


CLOBBERS = """#include <stdlib.h>
#define INSTRUCTION "movl $7, (%0)"
#define barrier() __asm__ __volatile__("" : : : "memory")
#define set(place) __asm__ volatile(INSTRUCTION : : "r"(place) : "memory")
struct s { unsigned small : 3; int *to; int row[3]; float f; };
static int g, quiet; static struct s s; static const int fixed = 4; static int table[100];
static int deep(int n) { if (n == 0) { ASM return 0; } return deep(n - 1); }
int main(void) { int own = 1, shown = 2, *q = &shown, *m = malloc(8); if (!m) return 0;
  m[0] = 3; s.to = &g; barrier(); assert(g == 0 && *q == 2 && m[0] == 3);
  deep(2); assert(WANTED); return 0; }"""


@pytest.mark.parametrize(("wanted", "status"), [
    ("own == 1 && fixed == 4 && s.to == &g && q == &shown && s.small < 8", "safe"),
    ("g == 0", "unknown"), ("quiet == 0", "unknown"), ("s.small == 0", "unknown"),
    ("s.row[2] == 0", "unknown"), ("s.f == 0", "unknown"), ("*q == 2", "unknown"),
    ("m[0] == 3", "unknown"), ("table[99] == 0", "unknown"),
])
@pytest.mark.parametrize("assembly", ["set(&g);", '__asm__(INSTRUCTION : : "r"(&g) : "memory", "cc");'])
def test_assembly_that_clobbers_memory(tmp_path: Path, assembly: str, wanted: str, status: str) -> None:
    """Numbers that others know have any value, wherever they are kept, and the answer says so."""
    text = CLOBBERS.replace("ASM", assembly).replace("WANTED", wanted)
    answer = check(tmp_path, text, engine="bmc", property="assertions")
    assert answer.status == status, answer.verdict
    assert any("clobbers memory" in said for said in answer.program.assumptions)


def test_assembly_in_an_operand_comes_before_or_after_the_others(tmp_path: Path) -> None:
    text = """static int g = 1; static int f(void) { __asm__ volatile("frob" ::: "memory"); return 0; }
    int main(void) { int x = g + f(); assert(x == 1); return 0; }"""
    for order in (text, text.replace("g + f()", "f() + g")):
        assert check(tmp_path, order, engine="bmc", property="assertions").status == "unknown"


def test_a_constant_is_not_written(tmp_path: Path) -> None:
    """Neither a global nor a static one, whether the pointer leads to others, too, or not."""
    text = """const int one = 1; static int own[2]; static void set(int *p, int i) { p[i] = 2; }
    int main(void) { static const int limits[2] = {1, 2}; set(own, 1); TEXT; return limits[own[1] - 2]; }"""
    assert check(tmp_path, text.replace("TEXT", "set(own, one)"), engine="bmc").status == "safe"
    for wrong in ("set((int *)limits, 1)", "*(int *)&one = 2", "((int *)limits)[1] = 2"):
        for engine in ("bmc", "explore"):
            assert check(tmp_path, text.replace("TEXT", wrong), engine=engine).status == "unsafe", wrong


def test_a_wide_integer_as_an_argument(tmp_path: Path) -> None:
    text = "int f(__int128 a, unsigned __int128 *p) { assert(!(a >> 70 == 5 && *p == 3)); return 0; }"
    assert check(tmp_path, text, engine="bmc", entry="f").status == "unsafe"


def test_conventions_of_other_verifiers(tmp_path: Path) -> None:
    """Functions of which only that they are functions is known; objects that get any contents."""
    text = """int __CPROVER_uninterpreted_f(int); struct pair { int a; double b; } g[2];
    int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); g[1].a = 3;
    int a = __CPROVER_uninterpreted_f(x), b = __CPROVER_uninterpreted_f(y);
    __ESBMC_init_object(g); __ESBMC_assume(g[1].a != 4); assert(WANTED); return 0; }"""
    assert check(tmp_path, text.replace("WANTED", "x != y || a == b"), engine="bmc").status == "safe"
    assert check(tmp_path, text.replace("WANTED", "g[1].a != 4"), engine="bmc").status == "safe"
    for wrong in ("a == b", "g[1].a == 3"):
        assert check(tmp_path, text.replace("WANTED", wrong), engine="bmc").status == "unsafe"


MEMORY = """#include <stdlib.h>
char g[7]; const int k = 3; int any; struct pair { int a; char b[4]; } s;
int main(void) { size_t n = (size_t)__VERIFIER_nondet_int(), m = (size_t)__VERIFIER_nondet_int();
  char *p = malloc(10), *none = 0, *q; __CPROVER_assume(p != 0 && n <= 20 && m >= 1 && m <= 4);
  klee_make_symbolic(&any, sizeof any, "any"); klee_make_symbolic(&s, sizeof(s), "s"); q = malloc(m);
  __CPROVER_assume(q != 0); assert(WANTED); free(p); free(q); return 0; }"""
TRUE_OF_MEMORY = (
    "__CPROVER_OBJECT_SIZE(p) == 10 && __CPROVER_OBJECT_SIZE(p + 10) == 10",
    "__CPROVER_OBJECT_SIZE(q) == m && __CPROVER_OBJECT_SIZE(none) == 0 && __CPROVER_OBJECT_SIZE(g + 3) == 7",
    "!__CPROVER_r_ok(p + 1, n) == (n > 9)", "!__CPROVER_w_ok(q, n) == (n > m)",
    "__CPROVER_r_ok(&k) && !__CPROVER_w_ok(&k) && !__CPROVER_rw_ok((int *)none) && __CPROVER_r_ok(none, 0)",
    "(free(p), !__CPROVER_r_ok(p, 1)) && (p = malloc(1), 1)",
)


@pytest.mark.parametrize("arithmetic", ["int", "bv"])
@pytest.mark.parametrize("wanted", TRUE_OF_MEMORY)
def test_what_programs_ask_about_memory(tmp_path: Path, wanted: str, arithmetic: str) -> None:
    """The model by bmc; the interpreter by replaying a run against the opposite."""
    for text, status in ((wanted, "safe"), (f"!({wanted})", "unsafe")):
        answer = check(tmp_path, MEMORY.replace("WANTED", text), engine="bmc", arithmetic=arithmetic)
        assert answer.status == status, (text, answer.verdict)


def test_any_contents_as_klee_gives_them(tmp_path: Path) -> None:
    for wrong in ("any != 77", "s.a != 5 || s.b[3] != 7"):
        assert check(tmp_path, MEMORY.replace("WANTED", wrong), engine="bmc").status == "unsafe"
    part, block = "(klee_make_symbolic(&s, 4, 0), 1)", "(klee_make_symbolic(p, 10, 0), 1)"
    for refused in (part, block, "__CPROVER_r_ok(n)"):
        with pytest.raises(Unsupported):
            check(tmp_path, MEMORY.replace("WANTED", refused), engine="bmc")


SMALL = """#include <ctype.h>
#include <string.h>
int main(void) { int c = __VERIFIER_nondet_int(), x = __VERIFIER_nondet_int(), i = __VERIFIER_nondet_int();
  unsigned u = (unsigned)__VERIFIER_nondet_int(); char a[4] = "abc", b[4] = "abc";
  if (c >= 0 && c < 256) assert(!isdigit(c) == (c < '0' || c > '9'));
  if (x > -100) assert(abs(x) >= 0);
  assert(memcmp(a, b, 4) == 0);
  if (i >= 0 && i < 4) assert("0123"[i] == '0' + i);
  assert(__builtin_popcount(u) <= 32 && (u == 0) == (__builtin_popcount(u) == 0));
  return 0; }"""
CRC = """static unsigned short crc(const unsigned char *p, int n) { unsigned short c = 0xFFFF;
  for (int i = 0; i < n; i++) { c ^= (unsigned short)(p[i] << 8);
    for (int b = 0; b < 8; b++) c = (unsigned short)(c & 0x8000 ? (c << 1) ^ 0x1021 : c << 1); }
  return c; }
int main(void) { int x = __VERIFIER_nondet_int();
  unsigned char m[2] = {(unsigned char)x, (unsigned char)(x >> 8)}, k[2] = {m[0] ^ 1, m[1]};
  assert(crc(k, 2) != crc(m, 2)); return 0; }"""
MAP = """struct entry { int key, value, used; }; static struct entry table[4];
static struct entry *find(int key) { for (int i = 0; i < 4; i++) { struct entry *e = &table[(key + i) & 3];
  if (!e->used || e->key == key) return e; } return 0; }
static void put(int key, int value) { struct entry *e = find(key);
  e->key = key; e->value = value; e->used = 1; }
int main(void) { int a = __VERIFIER_nondet_int() & 1023, b = __VERIFIER_nondet_int() & 1023;
  put(a, 1); put(b, 2);
  assert(find(b)->value == 2); assert(find(a)->value == (a == b ? 2 : 1)); return 0; }"""


@pytest.mark.parametrize("text", [SMALL, CRC, MAP], ids=["library", "crc", "map"])
def test_questions_of_everyday_code_are_answered(tmp_path: Path, text: str) -> None:
    """All groups of checks together."""
    assert check(tmp_path, text, engine="bmc").status == "safe"


CONTAINER = """#include <stddef.h>
struct list { struct list *next; };
struct item { int a; struct { struct list link[2]; } ; int b; } one = {1, {{{0}, {0}}}, 2}, *first = &one;
#define container_of(p, type, member) \\
  ({ const __typeof__(((type *)0)->member) *m = (p); (type *)((char *)m - offsetof(type, member)); })
int main(void) {
  struct list *l = &one.link[1];
  struct item *i = &one;
  const __typeof__(i->b) *b = &one.b;
  const __typeof__((*i).link[0].next) *n = &one.link[0].next;
  const __typeof__(&i->a) *a = &(int *){&one.a};
  assert(container_of(l, struct item, link[1])->b == 2 && *b == 2 && !*n && **a == 1);
  return 0; }"""


def test_typeof_of_members(tmp_path: Path) -> None:
    answer = check(tmp_path, CONTAINER, engine="bmc")
    assert answer.status == "safe", answer.verdict


def test_typeof_of_other_expressions_is_refused(tmp_path: Path) -> None:
    text = "int main(void) { char c; const __typeof__((char)c + c) *p = &(int){2}; assert(*p); return 0; }"
    with pytest.raises(Unsupported, match="typeof"):
        check(tmp_path, text, engine="bmc")


def test_what_clang_only_dislikes_is_read(tmp_path: Path) -> None:
    text = """extern void reach_error(void);
int main(void) { int a = 1; if ((3 > 2 > 1) || !(0 < a < 1 == 0)) reach_error(); return 0; }"""
    assert check(tmp_path, text, engine="bmc").status == "safe"


def test_the_last_statement_of_a_statement_expression_may_have_labels(tmp_path: Path) -> None:
    text = """struct s { int a, b; };
    int main(void) {
      int x = __VERIFIER_nondet_int() & 3;
      int r = ({ int i = 0; if (x) goto found; i = 7; found: i; });
      assert(r == (x ? 0 : 7));
      struct s s = ({ struct s t = {1, x}; if (x) goto one; t.a = 5; one: two: t; });
      assert(s.a == (x ? 1 : 5) && s.b == x);
      return 0;
    }"""
    for engine in ("bmc", "explore"):
        assert check(tmp_path, text.replace("__VERIFIER_nondet_int()", "2"), engine=engine).status == "safe"
    assert check(tmp_path, text, engine="bmc").status == "safe"


def test_distances_of_labels_are_refused(tmp_path: Path) -> None:
    text = """int main(void) { static const int far[] = {&&a - &&a, &&b - &&a};
    goto *(&&a + far[__VERIFIER_nondet_int() & 1]); a: return 0; b: assert(far[1] < 100); return 1; }"""
    with pytest.raises(Unsupported, match="distance of labels"):
        check(tmp_path, text)


@pytest.mark.parametrize("first", ["", "inline "])
def test_a_function_has_one_body(tmp_path: Path, first: str) -> None:
    one = f"{first}int g(void) {{ return 1; }} int main(void) {{ assert(g() == 1); return 0; }}"
    with pytest.raises(Unsupported, match=r"g is defined twice, the first time at .*p0\.c:4"):
        check(tmp_path, one, "int g(void) { return 2; }")


def test_inline_bodies_of_a_header_are_one(tmp_path: Path) -> None:
    (tmp_path / "h.h").write_text("inline int g(void) { return 1; }\n")
    one = '#include "h.h"\nint f(void); int main(void) { assert(g() + f() == 2); return 0; }'
    two = '#include "h.h"\nextern int g(void); int f(void) { return g(); }'
    assert check(tmp_path, one, two, engine="bmc").status == "safe"


@pytest.mark.parametrize(("count", "status"), [(3, "safe"), (4, "unsafe")])
def test_another_file_knows_the_length(tmp_path: Path, count: int, status: str) -> None:
    one = f"""extern int a[]; int main(void) {{
      int s = 0; for (int i = 0; i < {count}; i++) s |= a[i]; assert(s == 3); return 0; }}"""
    answer = check(tmp_path, one, "int a[] = {1, 2, 3};", engine="bmc", property="assertions,memory")
    assert answer.status == status, answer.verdict


ENUMERATORS = "enum wide { ONE = 1, WIDE = 0x100000000 }; int main(void) { assert(ONE - 2 > 0); return 0; }"
FLOATS = "int main(void) { double a = 1, b = a / 3; assert(b == a / 3); return 0; }"


@pytest.mark.parametrize(("text", "model", "words"), [
    (ENUMERATORS, "lp64", {"enumerators have the type"}), (FLOATS, "lp64", set()),
    (FLOATS, "ilp32", {"precision of their type"}),
])
def test_what_compilers_do_otherwise_is_said(tmp_path: Path, text: str, model: str, words: set[str]) -> None:
    path = tmp_path / "p.c"
    path.write_text(HEAD + text)
    said = load([path], {"data_model": model, "property": "assertions"}).assumptions
    found = {w for w in ("enumerators have the type", "precision of their type") if w in " ".join(said)}
    assert found == words


@pytest.mark.parametrize(("text", "bits", "elements"), [
    (r'u"a\U0001F600"', 16, [97, 0xD83D, 0xDE00]), (r'u"\xD83D"', 16, [0xD83D]),
    (r'U"\U0001F600"', 32, [0x1F600]), (r'u"\x1""2"', 16, [1, 50]), (r'"\377"', 8, [255]),
    (r'"\x100"', 8, None),
])
def test_elements_of_string_literals(text: str, bits: int, elements: list[int] | None) -> None:
    """As clang prints them: a pair of surrogates as one character."""
    assert literals.string(text, bits) == elements


def test_characters_of_two_elements(tmp_path: Path) -> None:
    text = r"""static const unsigned short s[] = u"\U0001F600x"; int main(void) {
      assert(sizeof s == 8 && s[0] == 0xd83d && s[1] == 0xde00 && s[2] == 'x' && s[3] == 0); return 0; }"""
    assert check(tmp_path, text, engine="bmc").status == "safe"


@pytest.mark.parametrize(("wanted", "status"), [("46", "safe"), ("302", "unsafe")])
def test_definitions_in_the_old_style_convert_what_they_get(tmp_path: Path, wanted: str, status: str) -> None:
    text = f"""int add(a, b) int a; char b; {{ return a + b; }}
    static float half(f) float f; {{ return f / 2; }}
    int main(void) {{ assert(half(3.0f) == 1.5f); assert(add(2, 300) == {wanted}); return 0; }}"""
    assert check(tmp_path, text, engine="bmc", property="assertions").status == status
