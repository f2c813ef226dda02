"""Reading clang's tree: what is refused, what is left alone, and what clang's texts leave open."""

from pathlib import Path

import pytest

import revet
from revet.errors import InputError, Unsupported
from revet.frontends.c import ast, load
from revet.frontends.c.entry import Wanted
from revet.frontends.c.parse import parse_files, parse_text, parse_units, read_unit
from revet.frontends.c.reader.constants import constant
from revet.frontends.c.types import ILP32, LP64, Record


def unsafe(tmp_path: Path, text: str) -> str:
    """What the interpreter says of a program without inputs."""
    from revet.frontends.c.interpret import Recorded, run

    file = tmp_path / "program.c"
    file.write_text("extern void __VERIFIER_error(void);\n" + text)
    tree = parse_files([file], LP64)
    return run(tree, Recorded(())).status


@pytest.mark.parametrize(("text", "said"), [
    ("_Complex double z; int main(void) { return (int)z; }", "not modelled"),
    ("typedef int v __attribute__((vector_size(16))); v x; int main(void) { return x[0]; }", "not modelled"),
    ("unsigned a; int main(void) { return __atomic_fetch_min(&a, 1, 5); }", "__atomic_fetch_min"),
    ("_Atomic(int *) a; int main(void) { return __c11_atomic_fetch_add(&a, 1, 5) != 0; }", "atomic"),
    ("__attribute__((weak)) int f(void); int main(void) { return f ? f() : 0; }", "weak symbol"),
    ("int main(void) { __asm__ goto(\"jmp %l0\" : : : : out); return 1; out: return 0; }", "inline assembly"),
    ("int main(void) { extern int hidden(void) __asm__(\"system\"); return hidden(); }", "AsmLabel"),
    ("int given(void); __asm__(\".globl given\"); int main(void) { return given(); }", "FileScopeAsmDecl"),
    ("int f(void) __attribute__((unheard_of)); int main(void) { return f(); }", "unheard_of"),
    ("int main(void) { struct s { char c; int i; } __attribute__((packed)) *p = 0; return p != 0; }",
     "attributes behind the brace"),
    ("int main(void) { int n = 2; int (*a[2])[n]; return sizeof a; }", "variable length"),
    ("int main(void) { int n = 2, a[n]; return sizeof a; }", "variable length"),
])  # fmt: skip
def test_what_is_not_known_is_refused_with_its_place(text: str, said: str) -> None:
    with pytest.raises(Unsupported) as problem:
        parse_text(text)
    assert said in str(problem.value)
    assert problem.value.position is not None and problem.value.position.line == 1


READ = {
    "a thread's variable": """_Thread_local int t = 3;
        int main(void) { static _Thread_local int u = 4; return t + u; }""",
    "a cast to a union": """union u { int i; double d; }; union u g;
        int main(void) { double x = 2.5; g = (union u)x; return (int)(g.d * 2) + ((union u)2).i; }""",
    "a literal at file scope": """struct s { int a, b; }; struct s v = (struct s){.b = 3}; int x = (int){4};
        int main(void) { return v.a + v.b + x; }""",
    "attributes behind the brace": """struct p { char c; int i; } __attribute__((packed));
        typedef struct { struct p p[2]; char c; } __attribute__((aligned(16))) t;
        char room[sizeof(struct p)]; enum { OFFSET = __builtin_offsetof(t, c) };
        int main(void) { return sizeof room == 5 && OFFSET == 10 && sizeof(t) == 16 && _Alignof(t) == 16
        ? 7 : 0; }""",
    "unnamed members in unnamed members": """struct h { char t; union { struct { short a, b; }; int i; }; };
        int main(void) { struct h h = { .t = 1 }; h.i = 0x30004; return h.a + h.b; }""",
    "a statement expression that is a record": """struct s { int a[2], *p; }; int x = 3;
        int main(void) { int i = 1; int *p = ({ struct s t = { { 1, 4 }, &x }; t; }).p;
        return ({ struct s t = { { 1, 4 } }; t; }).a[i] + *p; }""",
    "quiet comparisons": """int main(void) { double a = 1, b = 2, n = 0.0 / 0.0;
        return __builtin_isless(a, b) + 2 * __builtin_isgreaterequal(b, b) + 4 * __builtin_islessgreater(a, b)
        + 8 * __builtin_isunordered(a, b) + 16 * __builtin_islessgreater(n, a)
        + 32 * __builtin_isgreater(n, a) + (__builtin_isunordered(a, n) == 1 ? 0 : 64); }""",
    "labels as values": """int run(const char *p) { static const void *const ops[] = {&&inc, &&twice, &&stop};
        int a = 1; goto *ops[*p++ - '0']; inc: a++; goto *ops[*p++ - '0'];
        twice: a *= 2; goto *ops[*p++ - '0'];
        stop: return a; }
        int main(void) { void *l = &&end; int n = 2; goto *l; n = 9; end: return run("0102") + n; }""",
    "atomic operations": """_Atomic int c; unsigned char s = 250; long l = 5;
        int main(void) { int e = 3, r; c++; c += 2;
        int ok = __c11_atomic_compare_exchange_strong(&c, &e, 9, 5, 5);
        ok += __c11_atomic_compare_exchange_weak(&c, &e, 1, 5, 5); __atomic_load(&e, &r, 5);
        __atomic_fetch_add(&s, 10, 5); __sync_val_compare_and_swap(&l, 5, 8);
        __atomic_thread_fence(5); return ok == 1 && e == 9 && r == 9 && c == 9 && s == 4
        && __atomic_exchange_n(&l, 1, 5) == 8 && __sync_bool_compare_and_swap(&l, 1, 2)
        && __atomic_nand_fetch(&l, 3, 5) == ~2 && __sync_fetch_and_or(&l, 2) == ~2 && l == -1 ? 7 : 0; }""",
    "variable arguments": """typedef __builtin_va_list list; struct p { int x, y; };
        int sum(int n, list l) { int s = 0; while (n--) s += __builtin_va_arg(l, int); return s; }
        int f(int n, ...) { list a, b; __builtin_va_start(a, n); __builtin_va_copy(b, a);
          int s = sum(n, a) + 100 * sum(1, b); struct p q = __builtin_va_arg(b, struct p);
          *__builtin_va_arg(b, int *) = 5; s += q.x * q.y + (int)__builtin_va_arg(b, double);
          __builtin_va_end(a); __builtin_va_end(b); return s; }
        int main(void) { int z = 0; struct p q = {2, 3};
        return f(1, 4, q, &z, 1.5) == 411 && z == 5 ? 7 : 0; }""",
    "long jumps": """typedef struct { long m[8]; int s; } jmp_buf[1]; int _setjmp(jmp_buf); jmp_buf b; int n;
        _Noreturn void longjmp(jmp_buf, int);
        void deep(int k) { if (k == 0) longjmp(b, n); n++; deep(k - 1); }
        int main(void) { int r = _setjmp(b); if (r == 0) deep(2); if (r == 2) { n = 0; longjmp(b, 0); }
        return r == 1 && n == 0 ? 7 : 0; }""",
    "assembly that does nothing": """int g = 3;
        int main(void) { int x = 4; __asm__ volatile("" : "+r"(x) : : "memory");
        __asm__ volatile("nop"); return g + x; }""",
    "unnamed records in unnamed records": """typedef struct { int a; struct { union { struct { int c; }; }; };
        struct { int d; }; } s; int main(void) { s v; v.a = 1; v.c = 2; v.d = 4; return v.a + v.c + v.d; }""",
    "a weak definition": """__attribute__((weak)) int f(void) { return 3; } __attribute__((weak)) int w = 4;
        int main(void) { return f() + w; }""",
    "wide integers": """typedef unsigned __int128 wide;
        wide mul(unsigned long a, unsigned long b) { return (wide)a * b; }
        int main(void) { __int128 s = -7; wide p = mul(~0ul, 8);
        return (int)(p >> 64) + (s % 4 == -3) - (s / 8) - 1; }""",
    "kinds of floats": """int kind(double x) { return __builtin_fpclassify(0, 1, 2, 3, 4, x); }
        int main(void) { double n = __builtin_nan("");
        return kind(n) + kind(-1e300 * 1e300) + kind(1.5) + kind(-1e-310) + kind(0.0) == 10
        && __builtin_constant_p(3) ? 7 : 0; }""",
}


@pytest.mark.parametrize("text", READ.values(), ids=READ)
def test_what_is_read_means_what_it_says(tmp_path: Path, text: str) -> None:
    """The interpreter and the model agree that main returns 7."""
    assert unsafe(tmp_path, text) == 7
    file = tmp_path / "program.c"
    called = text.replace("int main(void)", "int result(void)")
    asserted = "int main(void) { if (result() != 7) __VERIFIER_error(); return 0; }"
    file.write_text(f"extern void __VERIFIER_error(void);\n{called}\n{asserted}\n")
    assert revet.check(file, engine="bmc", timeout=60, property="assertions").status == "safe"
    file.write_text(file.read_text().replace("!= 7", "== 7"))
    assert revet.check(file, engine="bmc", timeout=60, property="assertions").status == "unsafe"


def test_what_nobody_reaches_is_not_refused(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text("int odd(void) { _Complex double z = 0; return z == 0; }\nint main(void) { return 0; }\n")
    tree = parse_units([read_unit(file)], LP64, entry=Wanted("main"))
    assert list(tree.functions) == ["main"]
    with pytest.raises(Unsupported):
        parse_files([file])


def test_records_of_one_tag_in_two_scopes_are_two_types() -> None:
    text = """struct S { int a; }; struct S s;
    int main(void) { struct S { char b[9]; } t; struct S *p = &t; return sizeof s + sizeof *p; }"""
    body = parse_text(text).functions["main"].body.body
    local = body[0]
    assert isinstance(local, ast.Declare) and isinstance(local.variable.type, Record)
    assert (local.variable.type.size, local.variable.type.fields[0].name) == (9, "b")


def test_layouts_belong_to_their_definitions_whatever_is_read_first() -> None:
    text = """int f(void) { struct S { char a[3]; } s; return sizeof s; }
    int g(void) { struct S { int a, b; } s; return sizeof s; }
    int main(void) { return g() - f(); }"""
    tree = parse_text(text)
    sizes = {}
    for name in ("f", "g"):
        declared = tree.functions[name].body.body[0]
        assert isinstance(declared, ast.Declare) and isinstance(declared.variable.type, Record)
        sizes[name] = declared.variable.type.size
    assert sizes == {"f": 3, "g": 8}


def test_a_typedef_that_hides_another() -> None:
    text = """typedef int T; T x, y; long f(void) { typedef long long T; T z = x + y; return z; }"""
    declared = parse_text(text).functions["f"].body.body[0]
    assert isinstance(declared, ast.Declare) and declared.variable.initialiser is not None
    value = declared.variable.initialiser.entries[0].value
    assert isinstance(value, ast.Cast) and str(value.operand.type) == "int" and str(value.type) == "long long"


def test_enumerators_of_any_size() -> None:
    enums = "enum E { A = 1ULL << 40, B }; enum F { P = 'a', Q };"
    tree = parse_text(f"{enums} enum E e; unsigned long x = B; int y = Q;", model=LP64)
    values = [v.initialiser.entries[0].value for v in tree.globals if v.initialiser is not None]
    assert [constant(value) for value in values] == [(1 << 40) + 1, 98]
    assert str(tree.globals[0].type) == "unsigned long"


def test_records_with_unnamed_members_in_two_files(tmp_path: Path) -> None:
    head = "struct S { int a; union { int x; float f; }; }; extern struct S s;\n"
    (tmp_path / "a.c").write_text(head + "int main(void) { return s.x; }")
    (tmp_path / "b.c").write_text(head + "struct S s = {1, {2}}; int *p = &s.x;")
    tree = parse_files([tmp_path / "a.c", tmp_path / "b.c"])
    assert [v.name for v in tree.globals] == ["s", "p"]
    (tmp_path / "b.c").write_text("float s = 1;")
    with pytest.raises(Unsupported, match="different types"):
        parse_files([tmp_path / "a.c", tmp_path / "b.c"])


def test_records_of_one_tag_in_two_files(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("struct S { int a; struct S *next; } one; int main(void) { return one.a; }")
    (tmp_path / "b.c").write_text("struct S { int a; struct S *next; } two; struct S *p = &two;")
    tree = parse_files([tmp_path / "a.c", tmp_path / "b.c"])
    assert tree.globals[0].type is tree.globals[1].type
    (tmp_path / "b.c").write_text("struct S { float a; struct S *next; } two; struct S *p = &two;")
    tree = parse_files([tmp_path / "a.c", tmp_path / "b.c"])
    first, second = (variable.type for variable in tree.globals[:2])
    assert first is not second
    assert isinstance(second, Record) and str(second.fields[0].type) == "float"


def test_what_headers_declare_is_known(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    text = "#include <stdlib.h>\nint mine(void);\nint main(void) { return abs(mine()) + __builtin_ffs(3); }\n"
    file.write_text(text)
    tree = parse_units([read_unit(file)], LP64, entry=Wanted("main"))
    assert tree.is_system("abs") and tree.is_system("__builtin_ffs") and not tree.is_system("mine")
    assert "mine" in tree.declared and "malloc" not in tree.declared


def test_functions_that_do_not_return_and_constructors() -> None:
    text = """_Noreturn void die(void); void end(void) __attribute__((noreturn)); int x;
    __attribute__((constructor)) static void second(void) { x = 2; }
    __attribute__((constructor(101))) static void first(void) { x = 1; }
    int main(void) { if (x != 2) die(); end(); return 0; }"""
    tree = parse_text(text)
    assert {"die", "end"} <= tree.noreturn
    assert tree.constructors == ("first", "second")
    calls = tree.functions["main"].body.body[:2]
    names = [s.expression.function.name for s in calls if isinstance(s, ast.Evaluate)]  # type: ignore[union-attr]
    assert names == ["first", "second"]


def test_volatile_reads_have_places() -> None:
    tree = parse_text("volatile int v;\nint x;\nint main(void) { x = v;\n return x; }")
    assert [at.line for at in tree.volatile_reads] == [3]


def test_errors_are_shown_as_clang_shows_them(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text("int main(void) { return y; }\n")
    with pytest.raises(InputError) as problem:
        parse_files([file])
    assert f"{file}:1:25: error: use of undeclared identifier 'y'" in str(problem.value)
    assert "^" in str(problem.value)


@pytest.mark.parametrize("model", [ILP32, LP64])
def test_preprocessed_files_are_read_in_their_own_lines(tmp_path: Path, model: object) -> None:
    file = tmp_path / "program.i"
    file.write_text('# 1 "/usr/include/stdlib.h" 1 3 4\nextern int abs(int);\n# 7 "other.c" 2\n'
                    "int main(void) { return abs(1); }\n")
    tree = parse_files([file])
    assert tree.functions["main"].position.line == 4 and tree.is_system("abs")


def test_a_value_is_evaluated_once(tmp_path: Path) -> None:
    text = """int calls; int f(void) { return ++calls; }
    int main(void) {
      int a[4] = {[1 ... 3] = f()}; int x = f() ?: 9; int n = 2; int v[n]; n = 5;
      if (calls != 2 || x != 2 || a[1] != 1 || a[3] != 1 || sizeof v != 8) __VERIFIER_error();
      return 0; }"""
    assert unsafe(tmp_path, text) != "error"


def test_lengths_of_arrays_are_evaluated_once_where_they_stand(tmp_path: Path) -> None:
    text = """int calls; int next(void) { return ++calls; }
    int main(void) {
      int n = 3; int a[n + next()]; n = 7; a[3] = 2;
      { int b[a[3]], c[n]; if (sizeof b != 8 || sizeof c != 28) __VERIFIER_error(); }
      if (calls != 1 || sizeof a != 16) __VERIFIER_error();
      return 0; }"""
    assert unsafe(tmp_path, text) != "error"
    tree = parse_files([tmp_path / "program.c"])
    statement = tree.functions["main"].body.body[3]  # n = 7, in the line and column that the user wrote
    assert isinstance(statement, ast.Evaluate)
    assert (statement.span.start.line, statement.span.start.column, statement.span.text) == (4, 37, "n = 7")


def test_texts_and_numbers_are_exact(tmp_path: Path) -> None:
    text = r"""
    #include <stddef.h>
    struct s { char c; struct { int x; }; int z[3]; };
    int main(void) {
      const char *t = "\u00e9"; unsigned char first = (unsigned char)t[0];
      double d = 0x1.fffffffffffffp-1023; unsigned char c = 200; c += 100.5; c >>= 1;
      int k = _Generic(d, double: 3, default: 4) + __builtin_choose_expr(1, 2, 3.0);
      if (first != 0xc3 || sizeof "\u00e9" != 3 || c != 22 || k != 5) __VERIFIER_error();
      if (offsetof(struct s, x) != 4 || offsetof(struct s, z[2]) != 16 || d == 0) __VERIFIER_error();
      return 0; }"""
    assert unsafe(tmp_path, text) != "error"


def test_headers_can_be_loaded(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    names = ("assert", "math", "stdio", "stdlib", "string", "stdint", "limits")
    heads = "".join(f"#include <{name}.h>\n" for name in names)
    file.write_text(heads + "int main(void) { assert(1); return 0; }\n")
    assert load([file]).model.edges
