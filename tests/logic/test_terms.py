"""Smart constructors, walks, printing and serialisation keep the meaning of terms."""

import pickle

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from revet.errors import InputError, ModelError, SortError
from revet.logic import build as b
from revet.logic.evaluate import evaluate
from revet.logic.serialize import dumps, loads
from revet.logic.smtlib import print_script, print_term, read_script, read_term
from revet.logic.sorts import BOOL, INT, REAL, Array, BitVec, Uninterpreted, sort_from_name
from revet.logic.terms import FunctionSymbol, Op
from revet.logic.totality import totalized
from revet.logic.values import ArrayValue, is_value, same
from revet.logic.walk import free_vars, rewrite, substitute, subterms
from tests.logic.table import ROWS, SORTS, VARIABLES, any_tree, trees, valuations, values, variable

relaxed = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
x, y, z = (b.var(name, INT) for name in "xyz")
p, q = b.var("p", BOOL), b.var("q", BOOL)
NODE = Uninterpreted("Node")


@pytest.mark.parametrize("row", ROWS, ids=str)
@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_every_operator_folds_and_evaluates_alike(row, data):
    arguments = [data.draw(values(sort)) for sort in row.args]
    expected = row.value(*arguments)
    assert is_value(expected, row.sort)
    folded = row.build(*(b.const(value, sort) for value, sort in zip(arguments, row.args, strict=True)))
    assert folded.is_const and same(folded.value, expected, row.sort)
    variables = [variable(sort, number) for number, sort in enumerate(row.args)]
    term = row.build(*variables)
    assert term.sort is row.sort
    assert same(evaluate(term, dict(zip(variables, arguments, strict=True))), expected, row.sort)


@relaxed
@given(any_tree, valuations())
def test_smart_constructors_keep_the_value(tree, valuation):
    term = tree.term()
    assert same(evaluate(term, valuation), tree.value(valuation), term.sort)


@relaxed
@given(any_tree, st.data(), valuations())
def test_substitution_and_evaluation_commute(tree, data, valuation):
    term = tree.term()
    mapping = {v: data.draw(trees(v.sort, 1)).term() for v in sorted(free_vars(term), key=lambda v: v.id)[:3]}
    after = {**valuation, **{v: evaluate(new, valuation) for v, new in mapping.items()}}
    assert same(evaluate(substitute(term, mapping), valuation), evaluate(term, after), term.sort)


@relaxed
@given(any_tree, valuations())
def test_text_reads_back(tree, valuation):
    term = tree.term()
    again = read_term(print_term(term), VARIABLES)
    assert again.sort is term.sort
    assert same(evaluate(again, valuation), evaluate(term, valuation), term.sort)
    total = any(node.op.startswith(("fp.to_", "fp.round")) for node in subterms(term))
    made_total_twice = any(node.op == Op.ITE for node in subterms(term))
    assert total or made_total_twice or again is term


@relaxed
@given(any_tree, valuations())
def test_closing_keeps_the_value(tree, valuation):
    term = tree.term()
    assert same(evaluate(totalized(term), valuation), evaluate(term, valuation), term.sort)


@relaxed
@given(st.lists(any_tree, min_size=1, max_size=3))
def test_bytes_read_back(some):
    terms = [tree.term() for tree in some]
    assert all(new is old for new, old in zip(loads(dumps(terms)), terms, strict=True))
    assert pickle.loads(pickle.dumps(terms[0])) is terms[0]


@relaxed
@given(trees(BOOL), valuations())
def test_rewriting_with_negation_keeps_the_value(tree, valuation):
    term = tree.term()
    double = rewrite(term, lambda node: b.not_(b.not_(node)) if node.sort is BOOL else node)
    assert evaluate(double, valuation) == evaluate(term, valuation)
    assert evaluate(b.not_(term), valuation) != evaluate(term, valuation)


@relaxed
@given(trees(BOOL))
def test_scripts_read_back(tree):
    term = tree.term()
    script = read_script(print_script([term], logic="ALL"))
    assert script.logic == "ALL"
    assert set(script.variables.values()) >= free_vars(term) or term.is_const
    assert script.assertions[0].sort is BOOL


@relaxed
@given(data=st.data())
def test_remainders_keep_their_value(data):
    """Sums of multiples, constants and remainders of such sums, modulo small numbers of either sign."""
    small = st.integers(-9, 9)
    valuation = {x: data.draw(small), y: data.draw(small)}
    term, value = x, valuation[x]
    for _ in range(data.draw(st.integers(1, 4))):
        factor, offset, modulus = (data.draw(small) for _ in range(3))
        term = b.add(b.mul(b.integer(factor), term), b.mul(b.integer(offset), y), b.integer(offset))
        term = b.mod(term, b.integer(modulus))
        value = factor * value + offset * valuation[y] + offset
        value = value % abs(modulus) if modulus else value
        assert evaluate(term, valuation) == value


def test_comparisons_are_turned_around_to_be_printed():
    assert str(b.integer(-21) < -x) == "x < 21"
    assert str(b.integer(-2) * x <= b.integer(6)) == "-6 <= 2*x"
    assert str(-x < y) == "-1*x < y"


def test_pretty_text_is_short_for_big_terms():
    term = x
    for _ in range(50):
        term = b.ite(b.eq(term, y), term, term + 1)
    assert len(repr(term)) <= 200
    assert str(x + 1 <= y) == "x + 1 <= y"


# ---------------------------------------------------------------------- depth

DEPTH = 50_000


def deep_int():
    term = x
    for number in range(DEPTH):
        if number % 2:
            term = b.ite(b.eq(term, y), b.integer(number), b.div(term, z))
        else:
            term = b.bv2nat(b.int2bv(8, term))
    return term


def deep_bool():
    term = p
    for number in range(DEPTH):
        term = b.or_(b.and_(term, q), b.var(f"b{number % 7}", BOOL))
    return term


@pytest.mark.parametrize("make", [deep_int, deep_bool], ids=["int", "bool"])
def test_nothing_is_too_deep(make):
    term = make()
    valuation = {v: 3 if v.sort is INT else True for v in free_vars(term)}
    value = evaluate(term, valuation)
    changed = substitute(term, {y: z, q: b.not_(q)})
    assert changed is not term
    assert rewrite(term, lambda node: node) is term
    assert loads(dumps([term]))[0] is term
    assert evaluate(read_term(print_term(term), free_vars(term)), valuation) == value
    assert len(str(term)) > 1000 and len(repr(term)) <= 200
    assert evaluate(totalized(term), valuation) == value


def test_extract_looks_through_deep_concatenations():
    word = b.var("w", BitVec(1))
    bit = b.var("u", BitVec(1))
    for _ in range(3000):
        word = b.concat(word, bit)
    assert b.extract(3000, 3000, word) is b.var("w", BitVec(1))


# ---------------------------------------------------------------------- quantifiers

def test_substitution_renames_bound_variables_that_clash():
    formula = b.and_(x <= y, b.exists([x], b.eq(x + x, y)))
    assert free_vars(formula) == {x, y}
    result = substitute(formula, {y: x + 1, x: b.integer(5)})
    assert free_vars(result) == {x}
    (quantified,) = [node for node in subterms(result) if node.op == Op.EXISTS]
    (bound,) = quantified.payload
    assert bound is not x and free_vars(quantified) == {x}
    assert quantified.args[0] is b.eq(bound + bound, x + 1)
    # nothing to rename
    assert substitute(formula, {z: y}) is formula


def test_text_of_quantifiers_respects_scopes():
    shared = x + y
    inner = b.forall([x], b.or_(shared <= 0, b.eq(shared, shared * 2)))
    formula = b.and_(shared <= 3, b.eq(shared, z), inner)
    again = read_term(print_term(formula), [x, y, z])
    assert again is formula


def test_bytes_of_quantifiers_and_functions():
    f = FunctionSymbol("f", (INT, BOOL), INT)
    formula = b.forall([x], b.exists([q], b.eq(b.apply(f, x, q), y)))
    assert loads(dumps([formula]))[0] is formula
    assert read_term(print_term(formula), [y], [f]) is formula


# ---------------------------------------------------------------------- arrays over finite sorts

def test_arrays_over_finite_indices_are_equal_if_they_agree_everywhere():
    sort = Array(BOOL, INT)
    left = b.const(ArrayValue(0, {False: 5, True: 5}), sort)
    right = b.const(ArrayValue(5), sort)
    assert b.eq(left, right) is b.TRUE
    a = b.var("a", sort)
    assert evaluate(b.eq(a, right), {a: left.value}) is True
    assert b.eq(b.const(ArrayValue(0, {False: 5}), sort), right) is b.FALSE
    nested = Array(BitVec(1), sort)
    assert same(ArrayValue(left.value), ArrayValue(ArrayValue(1), {0: right.value, 1: left.value}), nested)


# ---------------------------------------------------------------------- errors

@pytest.mark.parametrize("build", [
    lambda: b.bvadd(b.var("a", BitVec(8)), b.bv(0, 4)),
    lambda: b.bvand(b.var("a", BitVec(8)), b.bv(0, 4)),
    lambda: b.bvmul(b.bv(1, 4), b.var("a", BitVec(8))),
    lambda: b.bvult(b.var("a", BitVec(8)), b.bv(0, 4)),
    lambda: b.bvshl(b.var("a", BitVec(8)), b.bv(0, 4)),
    lambda: b.add(x, b.var("r", REAL)),
    lambda: b.eq(x, p),
    lambda: b.ite(x, x, x),
    lambda: b.and_(p, x),
    lambda: b.not_(x),
    lambda: b.extract(8, 0, b.var("a", BitVec(8))),
    lambda: b.select(x, x),
    lambda: b.const(-1, BitVec(4)),
])
def test_constructors_check_sorts(build):
    with pytest.raises(SortError):
        build()


@pytest.mark.parametrize("name", ["", "a b", "(", "Int", "|x|"])
def test_sort_names_are_checked(name):
    with pytest.raises(ValueError):
        Uninterpreted(name)


@pytest.mark.parametrize("sort", [*SORTS, NODE, Array(INT, Array(BOOL, NODE))])
def test_sorts_have_names(sort):
    assert sort_from_name(sort.name) is sort


@pytest.mark.parametrize(("text", "line", "column", "message"), [
    ("(assert", 1, 1, "never closed"),
    ("(assert true))", 1, 14, "without its opening"),
    ("(declare-const x Int)\n(assert (< x true))", 2, 9, "expects"),
    ("(declare-const x Int)\n(assert x)", 2, 9, "expected sort Bool"),
    ("(assert (foo 1))", 1, 10, "unknown function foo"),
    ("(assert bar)", 1, 9, "unknown name bar"),
    ("(declare-const x Foo)", 1, 18, "unknown sort"),
    ("(declare-const x Int)\n(declare-const x Int)", 2, 16, "twice"),
    ("(assert (not true true))", 1, 9, "wrong arguments"),
    ("(push 1)", 1, 1, "not supported"),
    ("(assert \x01)", 1, 9, "unexpected character"),
    ("(declare-const x (_ BitVec 0))", 1, 18, "at least one bit"),
    ("(assert (= (_ bv16 4) (_ bv0 4)))", 1, 12, "does not fit"),
    ("(assert (fp.isNaN RNE))", 1, 9, "wrong arguments"),
    ("(assert (let ((x)) true))", 1, 15, "a name and a term"),
    ("5", 1, 1, "in parentheses"),
])
def test_reading_errors_have_positions(text, line, column, message):
    with pytest.raises(InputError, match=message) as caught:
        read_script(text)
    assert caught.value.position is not None
    assert (caught.value.position.line, caught.value.position.column) == (line, column)


def test_reading_the_rest_of_smtlib():
    script = read_script("""
        (set-logic QF_UFLIRA) ; a comment
        (set-info :status sat)
        (declare-fun |a b| () Int) (declare-const r Real) (declare-sort Node 0)
        (declare-fun f (Int Node) Bool) (declare-const n Node)
        (define-fun twice ((k Int)) Int (* 2 k))
        (define-fun limit () Int 7)
        (assert (! (=> (f |a b| n) (< (twice (+ |a b| 1)) limit 9)) :named first))
        (assert (and (>= r 1) (distinct |a b| 1 2) (xor true (= r 0.5))))
        (check-sat)
        (exit)
        (this is never read)
    """)
    a, n, r = b.var("a b", INT), b.var("n", Uninterpreted("Node")), b.var("r", REAL)
    f = FunctionSymbol("f", (INT, Uninterpreted("Node")), BOOL)
    assert script.assertions[0] is b.implies(b.apply(f, a, n), b.and_(2 * a + 2 < 7, b.boolean(7 < 9)))
    assert evaluate(script.assertions[1], {a: 5, r: evaluate(b.real(2), {})}) is True
    assert read_script(print_script(script.assertions)).assertions == script.assertions
    bits = read_term("((_ rotate_left 3) #b00010011)", [])
    assert bits is b.bv(0b10011000, 8)
    assert read_term("((_ rotate_right 1) #x1)", []) is b.bv(8, 4)
    assert read_term("(bvcomp #b1 #b1)", []) is b.bv(1, 1)
    assert read_term("(let ((x 1)) (let ((x 2) (y x)) (+ x y)))", []) is b.integer(3)


def test_names_are_quoted_or_refused():
    odd = b.var("let", INT)
    assert print_term(odd + 1) == "(+ |let| 1)"
    assert read_term(print_term(odd + 1), [odd]) is odd + 1
    with pytest.raises(ModelError):
        print_term(b.var("a|b", INT))
    with pytest.raises(ModelError):
        print_script([x <= 1, b.var("x", BOOL)])
