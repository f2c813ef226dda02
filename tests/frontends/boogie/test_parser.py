"""Boogie's syntax: what is read, how operators group, what messages say, and depth."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from revet.errors import InputError, Unsupported
from revet.frontends.boogie import syntax as s
from revet.frontends.boogie.parser import parse, parse_text
from revet.frontends.kit.deep import at_any_depth

EVERYTHING = """\
//#Safe
type ref; type Field a; type {:hint} finite colour;
type Pair a b = [a]b, word = bv32;
const unique red, green: colour;
const limit: int;
const {:x} huge: real;
function f(x: int, y: int) returns (r: bool);
function {:inline true} g<a>(a, Field a) : a;
function h(a: int, b: int, c: bool) returns (int) { if c then a else b }
axiom {:a "text", 1 + 2} (forall x: int, y: int :: {f(x, y)} {:weight 3} f(x, y) <==> f(y, x));
axiom (exists<t> o: Field t :: true) && limit > 0;
var heap: [ref, Field int]int, x, y: int where x < y;
var {:global} bits: bv8;
procedure {:entry} main(a: int where a > 0, b: bool) returns (c: int, d: real);
  requires a < limit; free requires {:why "so"} b;
  modifies x, heap; modifies ;
  ensures c == old(x) + 1; free ensures d > 0.5;
implementation main(n: int, b: bool) returns (c: int, d: real)
{
  var i: int, j: int where j > i; var m: [int][int]bool;
  start: next:
  havoc i, j;
  i, m[i][j + 1] := m[i := m[j]][0][1], i > 2;
  while (i < n) invariant i >= 0; free invariant j == 1; { i := i + 1; if (*) { break; } }
  while (*) { }
  if (b) { goto start, next; } else if (i div 2 == i mod 2) { return; } else { assert {:ok} false; }
  call i, j := pair(1, *);
  call pair(i, j);
  free call {:inline} pair(i, j);
  call forall lemma(*, i);
  bits := bits[8:4] ++ 3bv4;
  assume (lambda z: int :: z * 2)[3] == int(real(3)) && -i ** 2 != !true;
  end':
}
procedure p<a>(v: a) { }
"""


def expression(text: str) -> s.Expr:
    program = parse_text(f"axiom {text};", "a.bpl")
    return program.axioms[0].formula


def shown(expr: s.Expr) -> str:
    """An expression with all its parentheses."""
    match expr:
        case s.Name(name=name):
            return name
        case s.IntLiteral(value=value) | s.RealLiteral(value=value) | s.BoolLiteral(value=value):
            return str(value)
        case s.Unary(operator=operator):
            return f"({operator}{shown(expr.argument)})"
        case s.Binary(operator=operator):
            return f"({shown(expr.left)} {operator} {shown(expr.right)})"
        case s.IfThenElse():
            return f"(if {shown(expr.condition)} then {shown(expr.then)} else {shown(expr.otherwise)})"
        case s.Select():
            return f"{shown(expr.map)}[{', '.join(map(shown, expr.indices))}]"
        case s.Store():
            return f"{shown(expr.map)}[{', '.join(map(shown, expr.indices))} := {shown(expr.value)}]"
        case s.Quantifier():
            return f"({expr.kind} {', '.join(v.name for v in expr.variables)} :: {shown(expr.body)})"
    return type(expr).__name__


def test_everything() -> None:
    program = parse_text(EVERYTHING, "a.bpl")
    assert [t.name for t in program.types] == ["ref", "Field", "colour", "Pair", "word"]
    assert program.types[2].finite and program.types[3].parameters == ("a", "b")
    assert [(c.name, c.unique) for c in program.constants] == [
        ("red", True), ("green", True), ("limit", False), ("huge", False),
    ]  # fmt: skip
    assert [v.name for v in program.globals] == ["heap", "x", "y", "bits"]
    assert program.globals[1].where is program.globals[2].where is not None
    assert program.globals[3].attributes[0].name == "global"
    assert [p.name for p in program.functions[2].parameters] == ["a", "b", "c"]
    assert [p.name for p in program.functions[1].parameters] == ["", ""]
    procedure = program.procedures[0]
    assert [(c.free, len(c.attributes)) for c in procedure.requires] == [(False, 0), (True, 1)]
    assert [c.free for c in procedure.ensures] == [False, True]
    assert [name.name for name in procedure.modifies] == ["x", "heap"]
    assert procedure.body is None and program.procedures[1].type_parameters == ("a",)
    body = program.implementations[0].body
    assert [v.name for v in body.locals] == ["i", "j", "m"]
    assert [type(statement).__name__ for statement in body.statements] == [
        "Label", "Label", "Havoc", "Assign", "While", "While", "If", "Call", "Call", "Call", "CallForall",
        "Assign", "Assume", "Label",
    ]  # fmt: skip
    assert str(body.end) == "a.bpl:34:1"
    call = body.statements[9]
    assert isinstance(call, s.Call) and call.free and call.attributes
    quantifier = program.axioms[0].formula
    assert isinstance(quantifier, s.Quantifier)
    assert len(quantifier.triggers) == 1 and quantifier.attributes[0].name == "weight"
    assert program.axioms[0].attributes[0].arguments[0] == "text"


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("a + b * c - d", "((a + (b * c)) - d)"),
        ("a ==> b ==> c", "(a ==> (b ==> c))"),
        ("a <== b <== c", "(c ==> (b ==> a))"),
        ("a <==> b ==> c && d == e + f", "(a <==> (b ==> (c && (d == (e + f)))))"),
        ("!a && -b < c", "((!a) && ((-b) < c))"),
        ("-a[1] ** b ** c", "((-a[1]) ** (b ** c))"),
        ("a || b || c", "((a || b) || c)"),
        ("a % 3 div 2 / 4", "(((a mod 3) div 2) / 4)"),
        ("if a then b else c + d", "(if a then b else (c + d))"),
        ("a[i, j][k := 2 + v][1]", "a[i, j][k := (2 + v)][1]"),
        ("a!x[1]!y == {x: b, y: {z: c}}!y", "(Field == Field)"),
        ("(forall x: int :: a ==> b) && c", "((forall x :: (a ==> b)) && c)"),
        ("forall x, y: int :: a && b", "(forall x, y :: (a && b))"),
        ("¬a ∧ b ⇒ (∀ x: int • x ≤ y) ", "(((!a) && b) ==> (forall x :: (x <= y)))"),
        ("(λ x: int :: x ≥ 1)[2] ≠ (∃ y: int :: y ⇔ z)",
         "((lambda x :: (x >= 1))[2] != (exists y :: (y <==> z)))"),
    ],
)  # fmt: skip
def test_grouping(text: str, meaning: str) -> None:
    assert shown(expression(text)) == meaning


@pytest.mark.parametrize("name", ["a.b", "#x", "$y~0", "z'", "main_~x~0", "é1", "^?`\\", "forall_", "aλ"])
def test_names(name: str) -> None:
    found = expression(f"{name} == {name}")
    assert isinstance(found, s.Binary) and isinstance(found.left, s.Name) and found.left.name == name


def test_literals() -> None:
    real, small, bits = expression("12.50"), expression("1e-3"), expression("255bv8")
    assert isinstance(real, s.RealLiteral) and real.value == Fraction(25, 2)
    assert isinstance(small, s.RealLiteral) and small.value == Fraction(1, 1000)
    assert isinstance(bits, s.BitVectorLiteral) and (bits.value, bits.width) == (255, 8)


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        ("axiom a && b || c;", "'&&' and '||' need parentheses", (1, 14)),
        ("axiom a ==> b <== c;", "'==>' and '<==' need parentheses", (1, 15)),
        ("axiom a < b < c;", "comparisons do not chain", (1, 13)),
        ("axiom a = b;", "'==' compares", (1, 9)),
        ("axiom true", "expected ';', found the end of the input", (1, 11)),
        ("axiom 256bv8;", "256 does not fit in 8 bits", (1, 7)),
        ("axiom (a + );", "expected an expression, found ')'", (1, 12)),
        ("axiom m[1;", "expected ']' or ':=' or ',', found ';'", (1, 10)),
        ("var x int;", "expected ':' and the type, found 'int'", (1, 7)),
        ("var x: ;", "expected a type, found ';'", (1, 8)),
        ("oops", "expected a declaration", (1, 1)),
        ("function f(x: int);", "expected 'returns' or ':'", (1, 19)),
        ("function f() returns (a: int, b: int);", "a function has one result, not 2", (1, 23)),
        ("procedure p()\n  ensure x;", "expected ';' or '{' or 'requires'", (2, 3)),
        ("procedure p() {\n  x = 1;\n}", "expected ':=' to assign, found '='", (2, 5)),
        ("procedure p() {\n  x, y := 1;\n}", "2 variables on the left, 1 values on the right", (2, 8)),
        ("procedure p() {\n  x := 1\n}", "expected ';', found '}'", (3, 1)),
        ("procedure p() {\n  while true { }\n}", "expected '(', found 'true'", (2, 9)),
        ("procedure p() {\n  x := 1; var y: int;\n}", "variables are declared at the start", (2, 11)),
        ("procedure p() {", "expected '}'", (1, 16)),
        ("procedure p() { ) }", "expected a statement or '}', found ')'", (1, 17)),
        ("procedure p() { call x, y p(); }", "expected ':='", (1, 27)),
        ("procedure p() { /* never", "this comment is never closed", (1, 17)),
        ("procedure p() { @ }", "unexpected character '@'", (1, 17)),
    ],
)  # fmt: skip
def test_errors_show_the_place(text: str, message: str, place: tuple[int, int]) -> None:
    with pytest.raises(InputError) as caught:
        parse_text(text, "a.bpl")
    assert message in caught.value.message
    assert caught.value.position is not None
    assert (caught.value.position.line, caught.value.position.column) == place
    assert caught.value.source_line == text.split("\n")[place[0] - 1]


@pytest.mark.parametrize(
    "text",
    [
        "procedure p() { yield; }",
        "procedure p() { fork 1 p(); }",
        "procedure p() { join 1; }",
        "procedure p() { atomic { } }",
        "procedure p() { async call p(); }",
        "procedure p() { par p() | p(); }",
        "yield procedure p();",
        "axiom a <: b;",
        "const a: int extends b;",
        "const a: int complete;",
        "const a: int <: b;",
        "axiom 3bv0 == x;",
        "axiom 3bv999999 == x;",
        f"axiom {'9' * 5000} > 0;",
        "axiom 1e99999 > 0.0;",
    ],
)
def test_what_is_not_modelled_is_refused(text: str) -> None:
    with pytest.raises(Unsupported) as caught:
        parse_text(text, "a.bpl")
    assert caught.value.position is not None


def test_words_of_concurrency_are_names_elsewhere() -> None:
    parse_text("var join, par: int; procedure yield() { join := par; async: atomic[1] := 2; }", "a.bpl")


@pytest.mark.parametrize(
    "text",
    [
        "axiom " + "(" * 10_000 + "x" + ")" * 10_000 + ";",
        "axiom " + " + ".join(["x"] * 10_000) + ";",
        "axiom " + " ==> ".join(["x"] * 10_000) + ";",
        "axiom " + "!" * 10_000 + "x;",
        "axiom " + "if b then 1 else " * 10_000 + "x;",
        "axiom " + "m[" * 10_000 + "0" + "]" * 10_000 + ";",
        "axiom " + "(forall x: int :: " * 10_000 + "b" + ")" * 10_000 + ";",
        "procedure p() {" + "while (*) {" * 10_000 + "}" * 10_000 + "}",
        "procedure p() {" + "if (*) { } else " * 10_000 + "{ } }",
        "var x: " + "[int]" * 10_000 + "int;",
        "var x: " + "[" * 10_000 + "int" + "]int" * 10_000 + ";",
    ],
    ids=["parens", "sum", "implies", "not", "if", "indices", "forall", "while", "else if", "maps", "keys"],
)  # fmt: skip
@at_any_depth
def test_depth_is_not_bounded_by_the_stack(text: str) -> None:
    program = parse_text(text, "a.bpl")
    if program.axioms:
        assert len(s.postorder(program.axioms[0].formula)) == len(list(s.preorder(program.axioms[0].formula)))


def test_a_file_in_latin_1(tmp_path: Path) -> None:
    file = tmp_path / "a.bpl"
    file.write_bytes("// Universität\nvar x: int;".encode("latin-1"))
    assert [v.name for v in parse(file).globals] == ["x"]
