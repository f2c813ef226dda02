"""The reader of SMT-LIB: scopes, places of errors, depth, and pieces of a long text."""

from itertools import product

import pytest

from revet.errors import InputError, Unsupported
from revet.logic import build as b
from revet.logic import sexpr
from revet.logic.evaluate import evaluate
from revet.logic.sexpr import Source, Tokens
from revet.logic.smtlib import read_script, read_term
from revet.logic.sorts import BOOL, INT, REAL, Array, BitVec

x, y = b.var("x", INT), b.var("y", INT)


def test_a_bound_variable_does_not_capture_what_let_hides():
    term = read_term("(let ((y x)) (forall ((x Int)) (< x y)))", [x])
    assert term.payload != (x,)
    inner = term.payload[0]
    assert term is b.forall([inner], inner < x)


def test_a_parameter_does_not_capture_what_a_definition_hides():
    script = read_script("""
        (declare-const x Int) (declare-const z Int)
        (define-fun y () Int (+ x 1))
        (define-fun f ((x Int)) Int (+ x y))
        (assert (= (f 10) z))
    """)
    z = b.var("z", INT)
    assert evaluate(script.assertions[0], {x: 5, z: 16}) is True


def test_let_shadows_functions_and_ends():
    script = read_script("""
        (declare-fun f (Int) Int) (declare-const x Int)
        (assert (let ((x 1) (f x)) (= f x)))
        (assert (= (f x) x))
    """)
    assert script.assertions[0] is b.eq(b.integer(1), x)
    assert script.assertions[1].args[0].op in ("apply", "var")


def test_depth_costs_no_recursion():
    depth = 200_000
    text = "(assert " + "(let ((p (not p))) " * depth + "p" + ")" * depth + ")"
    script = read_script("(declare-const p Bool)" + text)
    assert script.assertions == [b.var("p", BOOL)]
    with pytest.raises(InputError, match="never closed") as caught:
        read_script("(declare-const p Bool)\n(assert " + "(not " * depth)
    assert caught.value.position.line == 2


def test_a_text_is_cut_into_pieces_anywhere(monkeypatch):
    text = '(set-info :a "1\n(2\n(3")\n(declare-const |a\n(b| Int)\n; |\n(assert (< |a\n(b| 1))\n' * 1
    whole = read_script(text)
    for size in range(1, 40, 3):
        monkeypatch.setattr(sexpr, "_PIECE", size)
        assert read_script(text).assertions == whole.assertions
        broken = text + "(assert (< |a\n(b| true))"
        with pytest.raises(InputError) as caught:
            read_script(broken)
        assert (caught.value.position.line, caught.value.position.column) == (9, 9)


def test_marks_are_places():
    tokens = Tokens(Source("; text\n(a ; (\n  b)\n", "f"))
    for token in tokens.stream:
        if token == "b":
            assert str(tokens.position(tokens.mark())) == "f:3:3"
    assert tokens.source.text.count("\n") == 3


@pytest.mark.parametrize(("text", "line", "column", "message"), [
    ("(declare-datatypes ((L 0)) (((nil))))", 1, 1, "datatypes"),
    ("(assert (forall ((x Int) (x Int)) true))", 1, 27, "bound twice"),
    ("(assert (let ((p true) (p false)) p))", 1, 25, "bound twice"),
    ("(declare-const and Int)", 1, 16, "SMT-LIB"),
    ("(declare-const p Bool)\n(assert (p 1))", 2, 10, "not a function"),
    ("(declare-fun f (Int) Int)\n(assert (= f 1))", 2, 12, "needs arguments"),
    ("(assert true) )", 1, 15, "closing parenthesis"),
    ("(assert true false)", 1, 14, "ends here"),
    ("(assert ((_ extract 99999999999 0) #b1))", 1, 21, "numeral"),
    ("(assert (= |a b))", 1, 12, "not a term"),
    ("(declare-sort S 1)", 1, 15, "parameters"),
])
def test_errors_have_places(text, line, column, message):
    with pytest.raises(InputError, match=message) as caught:
        read_script(text)
    assert (caught.value.position.line, caught.value.position.column) == (line, column)


def _signed(value):
    return value - 8 if value >= 4 else value


@pytest.mark.parametrize(("name", "expected"), [
    ("bvuaddo", lambda a, c: a + c > 7),
    ("bvusubo", lambda a, c: a < c),
    ("bvumulo", lambda a, c: a * c > 7),
    ("bvsaddo", lambda a, c: not -4 <= _signed(a) + _signed(c) <= 3),
    ("bvssubo", lambda a, c: not -4 <= _signed(a) - _signed(c) <= 3),
    ("bvsmulo", lambda a, c: not -4 <= _signed(a) * _signed(c) <= 3),
    ("bvsdivo", lambda a, c: _signed(a) == -4 and _signed(c) == -1),
])
def test_overflow_predicates(name, expected):
    v, w = b.var("v", BitVec(3)), b.var("w", BitVec(3))
    term = read_term(f"({name} v w)", [v, w])
    for a, c in product(range(8), repeat=2):
        assert evaluate(term, {v: a, w: c}) == expected(a, c)


def test_later_operators():
    v = b.var("v", BitVec(3))
    for a in range(8):
        for text, expected in (
            ("(sbv_to_int v)", _signed(a)), ("(bvnego v)", a == 4),
            ("(bvredor v)", a != 0), ("(bvredand v)", a == 7),
        ):
            assert evaluate(read_term(text, [v]), {v: a}) == expected
    for a, c in product((-7, 7), (-2, 2)):
        assert evaluate(read_term("(rem x y)", [x, y]), {x: a, y: c}) == (1 if c > 0 else -1)


def test_scripts_may_define_later_operators_themselves():
    script = read_script("(define-fun rem ((x Int) (y Int)) Int (+ x y))(assert (= (rem 1 2) 3))")
    assert script.assertions == [b.TRUE]
    with pytest.raises(InputError, match="not a function"):
        read_script("(declare-const rem Int)(assert (= (rem 1 2) 3))")


@pytest.mark.parametrize("text", [
    "(ite p 1 r)", "(ite p r 1)", "(select a 1)", "(select (store a 1 2) 1.0)", "(to_real (to_int 1))",
    "(select ((as const (Array Real Real)) 1) 2)", "(ite (distinct r 1) r r)", "(ite (is_int 1) r r)",
])
def test_integers_stand_for_reals(text):
    names = [b.var("p", BOOL), b.var("r", REAL), b.var("a", Array(REAL, REAL))]
    assert read_term(text, names).sort is REAL


def test_what_is_legal_but_not_modelled_is_unsupported():
    with pytest.raises(Unsupported):
        read_script("(declare-datatype L ((nil)))")


@pytest.mark.parametrize("text", [
    "(a(b)c)", "  ( a\tb\r\n\x0b(c\x0c))\x1c(d)\u00a0(e)", "", " ", "((()))", "(#b01 -1.5 :key x!0 <=)",
])
def test_tokens_are_the_same_with_and_without_comments(text):
    plain = list(Tokens(Source(text)).stream)
    assert plain == list(Tokens(Source(f"{text}\n; a comment")).stream)
    assert "".join(plain) == "".join(text.split())
