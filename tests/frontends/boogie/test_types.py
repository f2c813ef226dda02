"""Names and types of Boogie: what the checker fills in, and what it refuses."""

from __future__ import annotations

import pytest

from revet.errors import InputError, Unsupported
from revet.frontends.boogie import syntax as s
from revet.frontends.boogie.parser import parse_text
from revet.frontends.boogie.types import check
from revet.frontends.kit.deep import at_any_depth

STATE = "type ref; type Field a; var x, y: int; var r: real; var b: bool; var m: [int]bool; var w: bv8;\n"


def checked(text: str) -> s.Checked:
    return check(parse_text(text, "a.bpl"))


def formula(text: str) -> s.Expr:
    """An expression over the variables of ``STATE``, checked."""
    program = checked(f"{STATE}procedure p() {{ assume ({text}) == ({text}); }}")
    (statement,) = program.procedures["p"].implementations[0].body.statements
    assert isinstance(statement, s.Assume) and isinstance(statement.formula, s.Binary)
    return statement.formula.left


def refused(text: str, kind: type[InputError] = InputError) -> InputError:
    with pytest.raises(InputError) as caught:
        checked(text)
    error = caught.value
    assert type(error) is kind and error.position is not None
    assert error.source_line == text.split("\n")[error.position.line - 1]
    return error


# -- what is filled in


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("1 + x", "int"), ("r * 2.0", "real"), ("x < y", "bool"), ("m[x]", "bool"), ("m[x := b]",
         "[int]bool"),
        ("w ++ 3bv4", "bv12"), ("w[8:4]", "bv4"), ("int(r) mod 2", "int"), ("real(x) / r", "real"),
        ("if b then w else 1bv8", "bv8"), ("(lambda i: int, c: bool :: r)", "[int,bool]real"),
        ("(forall i: int :: m[i])", "bool"), ("old(r)", "real"), ("-r ** 2.0", "real"), ("!b <==> b", "bool"),
    ],
)  # fmt: skip
def test_types_of_expressions(text: str, type_: str) -> None:
    found = formula(text)
    assert str(found.type) == type_
    assert all(part.type is not s.UNRESOLVED for part in s.preorder(found))


def test_division_of_integers_is_div() -> None:
    found = formula("x / 2")
    assert isinstance(found, s.Binary) and found.operator == "div" and found.type is s.INT


def test_where_the_dialects_differ_is_noted() -> None:
    assert checked("procedure p(x: int) { assume x div 2 == 1; }").notes == ()
    program = checked("procedure p(x: int) {\n assume x / 2 == 1 && x / 3 == 0; }")
    assert program.notes == ("'/' between integers is 'div', as in ULTIMATE (line 2)",)
    structs = checked("const p: { x: int }; axiom p!x / 2 == 1;")
    assert len(structs.notes) == 1


def test_synonyms_are_expanded_and_types_are_interned() -> None:
    program = checked(
        "type Map a b = [a]b; type M = Map int (Map int bool); var p: M; var q: [int][int]bool; type ref;"
        "var f, g: [ref, bv4]ref;"
    )
    p, q, f, g = program.globals.values()
    assert p.type is q.type and f.type is g.type and p.type is not f.type
    assert str(p.type) == "[int][int]bool" and str(f.type) == "[ref,bv4]ref"


def test_synonyms_that_double() -> None:
    lines = ["type t0 = int;", *(f"type t{n + 1} = [t{n}]t{n};" for n in range(60))]
    program = checked("\n".join([*lines, "var a, b: t60;"]))
    assert program.globals["a"].type is program.globals["b"].type


def test_procedures_have_their_implementations() -> None:
    program = checked(
        "procedure p(x: int) returns (y: int); implementation p(a: int) returns (b: int) { b := a; }"
        "implementation p(a: int) returns (b: int) { b := 2; } procedure ext();"
        "procedure q() { var z: int; call z := p(1); }"
    )
    p, q = program.procedures["p"], program.procedures["q"]
    assert [one.inputs[0].name for one in p.implementations] == ["a", "a"]
    assert all(one.procedure is p for one in p.implementations)
    (body,) = q.implementations
    assert body.inputs is q.inputs
    (call,) = body.body.statements
    assert isinstance(call, s.Call) and call.callee is p
    assert program.procedures["ext"].implementations == ()


def test_names_are_resolved_through_shadowing() -> None:
    program = checked(
        "var x: int; var m: [int]int;"
        "procedure p(y: int) { var x: bool;"
        "  assume x && (forall x: int :: m[x] > y && (exists x: real :: x > 0.0)); }"
        "procedure q() modifies x; { x := 1; }"
    )  # fmt: skip
    (assume,) = program.procedures["p"].implementations[0].body.statements
    assert isinstance(assume, s.Assume)
    names = [part for part in s.preorder(assume.formula) if isinstance(part, s.Name) and part.name == "x"]
    assert [str(name.type) for name in names] == ["bool", "int", "real"]
    assert [name.variable.kind for name in names] == ["local", "bound", "bound"]
    (assign,) = program.procedures["q"].implementations[0].body.statements
    assert isinstance(assign, s.Assign) and assign.targets[0].variable.variable is program.globals["x"]


def test_polymorphic_functions_and_procedures() -> None:
    program = checked(
        "type F a; function get<a>(F a, [F a]a): a; const f: F bool; const heap: [F bool]bool;"
        "axiom get(f, heap); procedure p<t>(v: t, w: F t) returns (o: t);"
        "implementation p<u>(v: u, w: F u) returns (o: u) { o := v; }"
        "procedure q() { var z: bool; call z := p(true, f); }"
    )
    application = program.axioms[0].formula
    assert isinstance(application, s.Application)
    assert application.type is s.BOOL and application.instance == (s.BOOL,)
    (call,) = program.procedures["q"].implementations[0].body.statements
    assert isinstance(call, s.Call) and call.instance == (s.BOOL,)


def test_breaks_have_their_targets() -> None:
    program = checked(
        "procedure p() { outer: while (*) { one: if (*) { while (*) { break; } break one; } break outer; } }"
    )
    block = program.procedures["p"].implementations[0].body.statements
    breaks = [part for part in s.statements(block) if isinstance(part, s.Break)]
    loops = [part for part in s.statements(block) if isinstance(part, (s.While, s.If))]
    assert [one.target for one in breaks] == [loops[2], loops[1], loops[0]]


def test_a_goto_may_enter_a_block_and_old_may_stand_in_requires() -> None:
    checked("var g: int; procedure p() requires old(g) == 1; { goto inside; if (*) { inside: } }")


# -- what is refused


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x + r", "'+' between an int and a real (int(…) and real(…) convert)"),
        ("b + b", "the operands of '+' must be numbers, these are two of bool"),
        ("x && b", "an operand of '&&' must be a bool, this is an int"),
        ("!x", "the operand of '!' must be a bool, this is an int"),
        ("-b", "the operand of '-' must be a number, this is a bool"),
        ("x == b", "'==' between an int and a bool"),
        ("m[b]", "the index must be an int, this is a bool"),
        ("m[x, y]", "a map [int]bool takes 1 indices, not 2"),
        ("m[x := y]", "the value must be a bool, this is an int"),
        ("x[1]", "only maps are indexed, this is an int"),
        ("w[9:0]", "there are no bits [9:0] in a bv8"),
        ("x[1:0]", "only bit vectors have bits, this is an int"),
        ("w ++ x", "the operands of '++' must be bit vectors, these are a bv8 and an int"),
        ("r mod 2.0", "the operands of 'mod' must be integers, these are two of real"),
        ("x ** 2", "the operands of '**' must be reals"),
        ("if x then b else b", "the condition must be a bool, this is an int"),
        ("if b then x else r", "the value of 'else' must be an int, this is a real"),
        ("int(x)", "the argument of int(…) must be a real, this is an int"),
        ("(forall i: int :: i)", "the body of 'forall' must be a bool, this is an int"),
        ("(forall i: int, i: bool :: i)", "i is declared twice"),
        ("z", "there is no variable z"),
        ("f(1)", "there is no function f"),
    ],
)
def test_wrong_expressions(text: str, message: str) -> None:
    assert message in refused(f"{STATE}procedure p() {{ assume {text}; }}").message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("var counter: int; axiom true; procedure p() { assert cuonter > 0; }", "did you mean counter?"),
        ("procedure init() { } procedure p() { call initt(); }",
         "there is no procedure initt; did you mean init?"),
        ("var x: itn;", "there is no type itn; did you mean int?"),
        ("procedure p() { goto lop; loop: }", "there is no label lop; did you mean loop?"),
        ("var x: int; var x: bool;", "x is declared twice (first in line 1)"),
        ("const x: int; var x: bool;", "x is declared twice"),
        ("type t; type t;", "type t is declared twice"),
        ("type bv8;", "type bv8 is declared twice"),
        ("type t = [int]u; type u = t;", "type t is defined by itself"),
        ("type t a; var x: t;", "type t takes 1 arguments, not 0"),
        ("type t a; var x: t int int;", "type t takes 1 arguments, not 2"),
        ("var x: bv8 int;", "type bv8 takes no arguments"),
        ("function f(): int; function f(): int;", "function f is declared twice"),
        ("function f(a: int, a: int): int;", "a is declared twice"),
        ("function f<a, a>(a): int;", "type parameter a is declared twice"),
        ("function f(a: int): bool { a }", "the body of function f must be a bool, this is an int"),
        ("function f(a: int): bool; axiom f(1, 2);", "function f takes 1 arguments, not 2"),
        ("function f(a: int): bool; axiom f(true);",
         "argument 1 of function f must be an int, this is a bool"),
        ("function f(a: int): bool; axiom f;", "f is a function; its arguments are missing"),
        ("axiom 1;", "an axiom must be a bool, this is an int"),
        ("var x: int; axiom x == 1;", "an axiom must not use the variable x"),
        ("var x: int; function f(): int { x }", "the body of a function must not use the variable x"),
        ("axiom old(true);", "'old' has no meaning here"),
        ("var x: int where x;", "a 'where' must be a bool"),
        ("procedure p(); procedure p();", "procedure p is declared twice"),
        ("procedure p(a: int) returns (a: int);", "a is declared twice"),
        ("procedure p(a: int) { var a: int; }", "a is declared twice"),
        ("procedure p() requires 1; { }", "a precondition must be a bool"),
        ("procedure p() returns (z: bool) requires z; { }", "there is no variable z"),
        ("procedure p() ensures 1; { }", "a postcondition must be a bool"),
        ("procedure p() modifies z; { }", "there is no global variable z"),
        ("const c: int; procedure p() modifies c; { }", "c is a constant and cannot be changed"),
        ("implementation p() { }", "there is no procedure p"),
        ("procedure p(a: int); implementation p() { }", "procedure p has 1 parameters, not 0"),
        ("procedure p(a: int); implementation p(b: bool) { }",
         "b is a bool, in the declaration of procedure p an int"),
        ("procedure p<a>(); implementation p() { }", "the type parameters of p differ"),
        ("var x: int; procedure p() { x := 1; }", "x is not in the 'modifies' of p"),
        ("var x: int; procedure p() { havoc x; }", "x is not in the 'modifies' of p"),
        ("var x: int; procedure q(); modifies x; procedure p() { call q(); }", "procedure q may change x"),
        ("var x: int; procedure q() returns (r: int); procedure p() { call x := q(); }",
         "not in the 'modifies'"),
        ("const c: int; procedure p() { c := 1; }", "c is a constant and cannot be changed"),
        ("procedure p(a: int) { a := 1; }", "a is a parameter and cannot be changed"),
        ("procedure p() { var v: int; v, v := 1, 2; }", "v is assigned twice here"),
        ("procedure p() { var v: [int]int; v[0], v[1] := 1, 2; }", "v is assigned twice here"),
        ("procedure p() { var v: int; v := true; }", "v is an int, the value a bool"),
        ("procedure p() { var v: [int]int; v[1] := true; }", "v[…] is an int, the value a bool"),
        ("procedure p() { assert 1; }", "a condition must be a bool"),
        ("procedure p() { while (1) { } }", "the condition must be a bool"),
        ("procedure p() { while (*) invariant 1; { } }", "an invariant must be a bool"),
        ("procedure p() { break; }", "'break' outside of a loop"),
        ("procedure p() { if (*) { break; } }", "'break' outside of a loop"),
        ("procedure p() { l: while (*) { } while (*) { break l; } }",
         "there is no loop or 'if' with the label l"),
        ("procedure p() { l: l: }", "label l is declared twice"),
        ("procedure p(a: int); procedure q() { call p(); }", "procedure p takes 1 arguments, not 0"),
        ("procedure p(a: int); procedure q() { call p(true); }", "argument 1 of procedure p must be an int"),
        ("procedure p() returns (a: int); procedure q() { call p(); }", "procedure p has 1 results, not 0"),
        ("procedure p() returns (a: int); procedure q() { var v: bool; call v := p(); }",
         "v is a bool, the result a"),
        ("procedure p() returns (a: int); procedure q() { call forall p(); }", "'call forall' of p"),
    ],
)  # fmt: skip
def test_wrong_programs(text: str, message: str) -> None:
    assert message in refused(text).message


@pytest.mark.parametrize(
    "text",
    [
        "var heap: <a>[int]a;",
        "axiom (lambda<a> x: int :: x)[1] == 1;",
        "var w: bv0;",
        "var w: bv70000;",
        "const w: bv8; axiom w[3:3] == w;",
        "const w: bv65536; axiom (w ++ w) == (w ++ w);",
        "type L a; function nil<a>(): L a; axiom nil() == nil();",
        'function {:smtdefined "x + 1"} f(x: int): int;',
    ],
)
def test_what_is_not_modelled_is_refused(text: str) -> None:
    refused(text, Unsupported)


# -- depth


@pytest.mark.parametrize(
    "text",
    [
        "const x: int; axiom " + " + ".join(["x"] * 10_000) + " > 0;",
        "const b: bool; axiom " + "!" * 10_000 + "b;",
        "axiom " + "(forall x: int :: " * 10_000 + "x > 0" + ")" * 10_000 + ";",
        "procedure p() {" + "while (*) {" * 10_000 + "break;" + "}" * 10_000 + "}",
        "var x, y: " + "[int]" * 10_000 + "int; procedure p() modifies x; { x := y; assert x == y; }",
        "type F a; var x: " + "F (" * 10_000 + "F int" + ")" * 10_000 + ";",
        "\n".join(["type t0 = int;", *(f"type t{n + 1} = [int]t{n};" for n in range(10_000))]),
        "function f<a>(a): a; axiom " + "f(" * 10_000 + "true" + ")" * 10_000 + ";",
    ],
    ids=["sum", "not", "forall", "while", "maps", "named", "synonyms", "functions"],
)
@at_any_depth
def test_depth_is_not_bounded_by_the_stack(text: str) -> None:
    checked(text)
