"""The typed syntax tree: conversions, initialisers, layout, positions, deep and bad input."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from revet.errors import InputError, Unsupported
from revet.frontends.c import ast
from revet.frontends.c.clang.child import call
from revet.frontends.c.parse import parse_files, parse_text
from revet.frontends.c.types import ILP32, LP64, Array, Int, Pointer, Record, size_of
from revet.frontends.c.walk import all_expressions
from revet.frontends.kit.limits import memory_for_reading


def body_of(text: str, function: str = "main") -> tuple[ast.Stmt, ...]:
    return parse_text(text, model=ILP32).functions[function].body.body


def returned(expression: str, declarations: str = "") -> ast.Expr:
    statement = body_of(f"{declarations}\nlong long f(void) {{ return {expression}; }}", "f")[-1]
    assert isinstance(statement, ast.Return) and isinstance(statement.value, ast.Cast)
    return statement.value.operand


def test_usual_arithmetic_conversions() -> None:
    declarations = (
        "char c; unsigned char uc; short s; unsigned u; int i; long l; unsigned long ul; long long ll;"
    )
    table = {
        "c + uc": "int", "s << ll": "int", "u + i": "unsigned int", "l + u": "unsigned long",
        "-uc": "int", "~s": "int", "u < l": "int", "i ? c : s": "int", "ul * i": "unsigned long",
    }
    for expression, name in table.items():
        assert returned(expression, declarations).type.name == name, expression


def test_conversions_are_explicit() -> None:
    sum_ = returned("u + c", "unsigned u; char c;")
    assert isinstance(sum_, ast.Binary) and isinstance(sum_.right, ast.Cast)
    assert sum_.right.type == Int(32, False) and isinstance(sum_.right.operand, ast.VarRef)
    assert sum_.right.operand.type == Int(8, True)


def test_literals() -> None:
    for text, value in {
        "0x7fffffff": 0x7FFFFFFF, "010": 8, "'\\n'": 10, "'\\377'": -1, "sizeof(int*)": 4,
        "sizeof(struct {char c; double d;})": 12,
    }.items():
        constant = returned(text)
        assert isinstance(constant, ast.IntConst) and constant.value == value, text
    wide = body_of("unsigned long long f(void) { return 18446744073709551615ULL; }", "f")[0]
    assert isinstance(wide, ast.Return) and isinstance(wide.value, ast.IntConst)
    assert wide.value.value == 2**64 - 1


def test_strings_with_escapes_and_concatenation() -> None:
    program = parse_text('char s[] = "a\\0b" "\\x41";')
    (entry,) = program.globals[0].initialiser.entries
    assert isinstance(entry.value, ast.StringConst)
    assert entry.value.data == (97, 0, 98, 65, 0)
    assert program.globals[0].type == Array(Int(8, True), 5)


def paths(program: ast.CProgram, number: int = 0) -> list[tuple[tuple[object, ...], int]]:
    found = []
    for entry in program.globals[number].initialiser.entries:
        steps = tuple(step if isinstance(step, int) else step.name for step in entry.path)
        assert isinstance(entry.value, ast.IntConst)
        found.append((steps, entry.value.value))
    return found


def test_initialisers() -> None:
    assert paths(parse_text("int a[2][2] = {1, 2, 3};")) == [((0, 0), 1), ((0, 1), 2), ((1, 0), 3)]
    assert paths(parse_text("int a[2][2] = {{1}, {2}};")) == [((0, 0), 1), ((1, 0), 2)]
    text = "struct s {int x, y; int z[2];} v[2] = {1, 2, 3, 4, {5}};"
    assert paths(parse_text(text)) == [
        ((0, "x"), 1), ((0, "y"), 2), ((0, "z", 0), 3), ((0, "z", 1), 4), ((1, "x"), 5),
    ]
    text = "struct s {int x, y; int z[2];} v = {.z[1] = 7, .x = 1, 2};"
    assert paths(parse_text(text)) == [(("x",), 1), (("y",), 2), (("z", 1), 7)]
    assert paths(parse_text("union {int x; char c;} u = {3};")) == [(("x",), 3)]


def test_layout_follows_the_data_model() -> None:
    text = "struct s {char c; long long q; unsigned a:3, b:7; char *p;} v; enum e {A=-1} x; long n;"
    sizes = {ILP32: (20, 4, 4), LP64: (32, 4, 8)}
    for model, expected in sizes.items():
        program = parse_text(text, model=model)
        assert tuple(size_of(variable.type) for variable in program.globals) == expected
        record = program.globals[0].type
        assert isinstance(record, Record)
        assert [field.width for field in record.fields] == [None, None, 3, 7, None]
        assert program.globals[1].type == Int(32, True)


def test_for_headers_with_absent_parts() -> None:
    text = 'void f(void) { int i; for (;;) i = 1; for (i = 0;;) ; for (;i;) ; for (;;i++) ; }'
    shapes = [
        (loop.start is not None, loop.condition is not None, loop.step is not None)
        for loop in body_of(text, "f") if isinstance(loop, ast.For)
    ]
    assert shapes == [(False, False, False), (True, False, False), (False, True, False), (False, False, True)]


def test_pointers_and_arrays() -> None:
    text = "int a[3]; int *p; int f(int i) { return a[i] + p[i] + *a + *(p - 1) + (p - a) + i[a]; }"
    kinds = []
    stack: list[ast.Expr] = [body_of(text, "f")[0].value]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Binary):
            stack += [node.right, node.left]
        else:
            kinds.append(type(node).__name__)
    assert kinds == ["Index", "Deref", "Index", "Deref", "PointerDiff", "Index"]


def test_old_style_and_implicit_declarations() -> None:
    program = parse_text("f(a, c) char c; { return a + c + g(1); }  main() { return f(1, 2); }")
    assert [p.type for p in program.functions["f"].parameters] == [Int(32, True), Int(8, True)]
    assert program.declared["g"].parameters is None


def test_array_parameters_are_pointers() -> None:
    text = "int f(int a[3], int g(void)) { return a[1] + g(); } "
    text += "int h(int a[3], int n) { int *p = n ? a : a + 1; p = a; a++; a += 2; return *(a-1) + f(a, 0); }"
    program = parse_text(text)
    function = program.functions["f"]
    assert all(isinstance(parameter.type, Pointer) for parameter in function.parameters)
    assert function.type.parameters == tuple(parameter.type for parameter in function.parameters)
    (statement,) = function.body.body
    assert isinstance(statement, ast.Return) and isinstance(statement.value, ast.Binary)
    assert isinstance(statement.value.left, ast.Deref)
    for expression in all_expressions(program.functions["h"].body):
        assert not isinstance(expression.type, Array), expression


def test_positions_and_texts() -> None:
    (first, second) = body_of("int main() {\n  int x = 1;\n  if (x)\n    x = 2;\n}")
    assert isinstance(first, ast.Declare) and isinstance(second, ast.If)
    assert (first.span.start.line, first.span.start.column, first.span.text) == (2, 3, "int x = 1;")
    assert (second.span.start.line, second.span.end.line) == (3, 4)


def test_the_memory_limit_reaches_clang() -> None:
    asked = "import resource; print(resource.getrlimit(resource.RLIMIT_AS)[0] >> 20)"
    with memory_for_reading(64 << 20):
        status, output, _ = call([sys.executable, "-c", asked])
        assert status == 0 and int(output[:]) == 64 + 200  # and what the compiler itself is
        with pytest.raises(InputError, match="more than 64 MB of memory"):
            call([sys.executable, "-c", "import sys; sys.exit('LLVM ERROR: out of memory')"])


def test_deep_nesting() -> None:
    deep = "(" * 2000 + "1" + ")" * 2000
    assert isinstance(returned(deep), ast.IntConst)
    sums = "+".join(["x"] * 1000)
    assert isinstance(returned(sums, "int x;"), ast.Binary)
    chain = "else ".join(f"if (x == {n}) x = {n + 1};" for n in range(600))
    assert len(body_of(f"int x; int main() {{ {chain} return 0; }}")) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("int main( { return 0; }", "expected"),
        ("int main() { return y; }", "undeclared"),
        ("int main() { int x; x.f = 1; }", "not a structure"),
    ],
)
def test_syntax_errors_have_positions(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        parse_text(text)
    assert caught.value.position is not None and caught.value.position.line == 1


def test_unmodelled_type_is_unsupported_with_position() -> None:
    with pytest.raises(Unsupported, match="Complex") as caught:
        parse_text("int x;\n_Complex double z;")
    assert caught.value.position is not None and caught.value.position.line == 2


def test_several_files_share_externals(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(
        "struct s {int f;}; extern struct s v; static int h(void) {return 1;}"
        "int g(void) {return v.f + h();}"
    )
    (tmp_path / "b.c").write_text(
        "struct s {int f;}; struct s v = {3}; static int h(void) {return 2;}"
        "int main() {return g() + h();}"
    )
    program = parse_files([tmp_path / "a.c", tmp_path / "b.c"])
    assert [variable.name for variable in program.globals] == ["v"]
    assert list(program.functions) == ["h", "g", "h#1", "main"]


def test_preprocessing(tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    source.write_text("#include <assert.h>\n#define N 3\nint main() {\n  assert(N);\n  return 0;\n}\n")
    program = parse_files([source])
    assert "__assert_fail" in program.declared
    assert program.functions["main"].position.line == 3
    assert program.functions["main"].body.body[0].span.start.line == 4
    source.write_text("#include <no-such-header.h>\n")
    with pytest.raises(InputError, match="no-such-header") as caught:
        parse_files([source])
    assert caught.value.position is not None and caught.value.position.line == 1


def test_empty_and_foreign_files(tmp_path: Path) -> None:
    table = [("e.c", "\n", "empty"), ("b.c", "\0", "binary")]
    for name, text, message in table:
        path = tmp_path / name
        path.write_text(text)
        with pytest.raises(InputError, match=message):
            parse_files([path])
