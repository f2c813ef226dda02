"""THETA's automata: what is read, what is refused and how, the interpreter against evaluation."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path

import pytest

from revet.errors import Unsupported
from revet.frontends import ReplayFailed, load
from revet.frontends.kit.interpreter import UNDEFINED, Interpreter
from revet.frontends.kit.lowering import Lowering
from revet.frontends.kit.parsing import Source, Tokens
from revet.frontends.kit.syntax import ExpressionParser
from revet.frontends.kit.theta_notation import GRAMMAR, LEXER
from revet.logic import build as b
from revet.logic import floats
from revet.logic.evaluate import evaluate
from revet.logic.sorts import BOOL, FLOAT32, INT, REAL, Array, BitVec, Float
from revet.logic.terms import Term
from revet.model.cfa import Cfa
from revet.result.trace import CfaTrace
from tests.frontends.walks import EXAMPLES, message_of, mutants, program_of, random_run, successor, value_of

EVERYTHING = """\
var g : rat // a global
main process all(n : int) {
    var p : bool
    var w : bv[8]
    var a : [int] -> bool
    var m : [bv[8]] -> [int] -> rat
    init loc L0   /* block
                     comment */
    loc L1
    final loc END
    error loc E1
    error loc E2
    L0 -> L1
    L1 -> E1 { }
    L0 -> L1 {
        havoc p
        assume not p or n = 3 imply n /= 4
        g := g * 1 % 2 + n
        w := w bvadd 8'd-1
    }
    L1 -> E1 { assume a[n] and a[n <- false][2] }
    L1 -> E2 { havoc n assume n > 1 n := n + 1; havoc n }
    L1 -> END { m := m[8'xff <- m[w][0 <- 3 % 4]] }
}
"""


def shown(cfa: Cfa) -> list[str]:
    return [f"{e.source} -> {e.target}: {e} / {'; '.join(map(str, e.statements))}" for e in cfa.edges]


def test_every_construct(tmp_path: Path) -> None:
    cfa = program_of(tmp_path, "all.cfa", EVERYTHING).model
    assert isinstance(cfa, Cfa)
    assert {v.name: v.sort for v in cfa.variables} == {
        "n": INT, "p": BOOL, "w": BitVec(8), "a": Array(INT, BOOL), "g": REAL,
        "m": Array(BitVec(8), Array(INT, REAL)),
    }  # fmt: skip
    assert (cfa.initial.name, [e.name for e in cfa.errors]) == ("L0", ["E1", "E2"])
    assert shown(cfa) == [
        "L0 -> L1: skip / ",
        "L1 -> E1: skip / ",
        (
            "L0 -> L1: havoc p; assume not p or n = 3 imply n /= 4; g := g * 1 % 2 + n; "
            "w := w bvadd 8'd-1 / havoc p; [not (not p or n = 3) or n != 4]; "
            "g := 1/2*g + to_real(n); w := w + 255"
        ),
        "L1 -> E1: assume a[n] and a[n <- false][2] / [a[n] and a[n := false][2]]",
        "L1 -> L1.1: havoc n; assume n > 1 / havoc n; [1 < n]",
        "L1.1 -> E2: n := n + 1; havoc n / n := n + 1; havoc n",
        (
            "L1 -> END: m := m[8'xff <- m[w][0 <- 3 % 4]] / "
            "m := m[255 := m[w][0 := 3/4]]"
        ),
    ]  # fmt: skip
    assert [str(e.position).split(":", 1)[1] for e in cfa.edges] == [
        "13:5", "14:5", "16:9", "21:16", "22:16", "22:37", "23:17",
    ]  # fmt: skip


VARIABLES = {
    "i": b.var("i", INT), "j": b.var("j", INT), "p": b.var("p", BOOL), "q": b.var("q", BOOL),
    "r": b.var("r", REAL), "s": b.var("s", REAL), "w": b.var("w", BitVec(4)), "v": b.var("v", BitVec(4)),
    "a": b.var("a", Array(INT, INT)), "f": b.var("f", FLOAT32), "h": b.var("h", Float(5, 11)),
}  # fmt: skip


def lowered(text: str) -> tuple[ExpressionParser, Lowering, Term, object]:
    source = Source("e.cfa", text)
    parser = ExpressionParser(Tokens(source, LEXER), GRAMMAR)
    expr = parser.expression()
    assert parser.tokens.next.kind == "end of file", text
    lowering = Lowering(source, VARIABLES)
    return parser, lowering, lowering.lower(expr)[0], expr


N, J, P, Q, R, _, W, V, A, F, H = VARIABLES.values()
MEANINGS = {
    "i + 2 * j - i": J * 2,
    "not i = j and p": b.and_(N.ne(J), P),
    "p or q xor p and q": b.or_(P, b.xor(Q, b.and_(P, Q))),
    "p imply q imply p": b.implies(P, b.implies(Q, P)),
    "p iff q imply p": b.iff(P, b.implies(Q, P)),
    "if p then i else j + 1": b.ite(P, N, J + 1),
    "i div 2 + i mod 3": b.div(N, b.integer(2)) + b.mod(N, b.integer(3)),
    "w bvult 4'd5 and w bvsge v": b.and_(b.bvult(W, b.bv(5, 4)), b.bvsle(V, W)),
    "w bvor v bvand 4'b0101 bvshl 4'd1": b.bvor(W, b.bvand(V, b.bv(10, 4))),
    "w ++ v = 8'xF0": b.eq(b.concat(W, V), b.bv(240, 8)),
    "w[3:1] = 2'd1": b.eq(b.extract(2, 1, W), b.bv(1, 2)),
    "w bv_zero_extend bv[8] bvadd v bv_sign_extend bv[8]": b.bvadd(
        b.zero_extend(4, W), b.sign_extend(4, V)
    ),
    "bvnot w = bvneg v": b.eq(b.bvnot(W), b.bvneg(V)),
    "4'bs0101 = 4'du5": b.TRUE,
    "[0 <- i, 2 <- 7, default <- 1][2]": b.integer(7),
    "[<int>default <- 1][i]": b.select(b.const_array(A.sort, b.integer(1)), N),
    "a[i <- j][i]": J,
    "r < 1 % 2": b.lt(R, b.real("1/2")),
    "r / 2 = i": b.eq(b.mul(b.real("1/2"), R), b.to_real(N)),
    "f < 8'b10000001.23'd0": floats.fp_lt(F, floats.fp_const(4, FLOAT32)),
    "f fpadd[RTP] f = f + f": floats.fp_eq(floats.fp_add(F, F, "RTP"), floats.fp_add(F, F)),
    "fpisnan f or fpabs f >= f": b.or_(floats.fp_is_nan(F), floats.fp_le(F, floats.fp_abs(F))),
    "-5'b10000.10'd0 = h": floats.fp_eq(H, floats.fp_const(-2, Float(5, 11))),
    "fptofp[8:24][RNE] h /= f": b.not_(floats.fp_eq(floats.fp_to_fp(FLOAT32, H), F)),
    "fpfrombv[8,24][u][RTZ] w = f": floats.fp_eq(floats.fp_from_ubv(FLOAT32, W, "RTZ"), F),
}


@pytest.mark.parametrize("text", MEANINGS)
def test_expressions(text: str) -> None:
    assert lowered(text)[2] is MEANINGS[text]


ERRORS = {
    "": "bad.cfa: an empty file, not an automaton",
    b"\x00\x01": "bad.cfa: a binary file, not a program text",
    "main process p { loc A }": (
        "bad.cfa:1:14: process p has no init location\n  main process p { loc A }\n               ^"
    ),
    "process p { init loc A }\nprocess q { init loc A }": (
        "bad.cfa:2:1: more than one process; mark one as main\n  process q { init loc A }\n  ^"
    ),
    "main process p {\n  init loc A\n  loc A\n}": (
        "bad.cfa:3:7: location A is declared twice\n    loc A\n        ^"
    ),
    "main process p {\n  init loc A\n  init loc B\n}": (
        "bad.cfa:3:12: a second init location\n    init loc B\n             ^"
    ),
    "main process p {\n  init loc A\n  A -> B { }\n}": (
        "bad.cfa:3:8: unknown location B\n    A -> B { }\n         ^"
    ),
    "main process p {\n  init loc A\n  A -> A { x := 1 }\n}": (
        "bad.cfa:3:12: unknown variable x\n    A -> A { x := 1 }\n             ^"
    ),
    "main process p {\n  var x : int\n  var x : bool\n}": (
        "bad.cfa:3:7: variable x is declared twice\n    var x : bool\n        ^"
    ),
    "main process p {\n  var x : int\n  init loc A\n  A -> A { x := true }\n}": (
        "bad.cfa:4:17: expected int, but this is of type bool\n    A -> A { x := true }\n                  ^"
    ),
    "main process p {\n  var x : bv[8]\n  init loc A\n  A -> A { x := x bvadd 4'd1 }\n}": (
        "bad.cfa:4:19: 'bvadd' cannot combine bv[8] and bv[4]\n    A -> A { x := x bvadd 4'd1 }\n"
        "                    ^"
    ),
    "main process p {\n  var x : float\n}": (
        "bad.cfa:2:11: expected a type (bool, int, rat, bv[n], fp[e:s] or [index] -> element), "
        "found 'float'\n    var x : float\n            ^"
    ),
    "main process p {\n  var x : bv[0]\n}": (
        "bad.cfa:2:14: from 1 to 65536 bits are possible, not 0\n    var x : bv[0]\n               ^"
    ),
    "main process p {\n  init loc A\n  A -> A { assume 2'd7 = 2'd7 }\n}": (
        "bad.cfa:3:19: 2 bits cannot hold 7\n    A -> A { assume 2'd7 = 2'd7 }\n                    ^"
    ),
    "main process p {\n  init loc A\n  A -> A { x = 1 }\n}": (
        "bad.cfa:3:14: expected ':=' after the variable, found '='\n    A -> A { x = 1 }\n               ^"
    ),
    "main process p {\n  init loc A": (
        "bad.cfa:2:13: expected 'var' or 'loc' or an edge or '}', found the end of the input\n"
        "    init loc A\n              ^"
    ),
    "main {": "bad.cfa:1:6: expected 'process', found '{'\n  main {\n       ^",
    "var x : int": "bad.cfa: no process is defined",
}

REFUSED = {
    "assume forall(i : int) x > i": "3:26: quantifiers are not supported",
    "assume x' = 1": "3:19: primed variables are not supported",
    "assume x(1) = 1": "3:19: function calls are not supported",
    "return x": "3:11: return is not supported",
    "assume f fpmax f = f": "3:20: 'fpmax' is not supported on floats",
    "assume fptobv[8's][RNE] f = 8'd1": "3:18: 'fptobv[8's][RNE]' is not supported on floats",
}


@pytest.mark.parametrize("text", ERRORS, ids=range(len(ERRORS)))
def test_errors_point_at_the_place(tmp_path: Path, text: str | bytes) -> None:
    assert message_of(tmp_path, "bad.cfa", text) == ERRORS[text]


@pytest.mark.parametrize("statement", REFUSED)
def test_what_is_not_modelled_is_refused(tmp_path: Path, statement: str) -> None:
    text = f"main process p {{ var x : int var f : fp[8:24]\ninit loc A\nA -> A {{  {statement} }} }}"
    with pytest.raises(Unsupported) as caught:
        program_of(tmp_path, "p.cfa", text)
    assert REFUSED[statement].split(": ", 1)[1] in str(caught.value)
    assert caught.value.position is not None and caught.value.position.line == 3


OPERATORS = {
    "i": ["+", "-", "*", "/", "div", "mod", "rem"],
    "r": ["+", "-", "*", "/"],
    "w": ["bvadd", "bvsub", "bvmul", "bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod", "bvand", "bvor",
          "bvxor", "bvshl", "bvlshr", "bvashr", "bvrol", "bvror"],
    "f": ["fpadd[RTP]", "fpsub", "fpmul[RTZ]", "fpdiv[RNA]", "fprem", "+", "*", "-", "/"],
}  # fmt: skip
RELATIONS = {
    "i": ["<", "<=", ">", ">=", "=", "/="],
    "r": ["<", "<=", ">", ">=", "=", "/="],
    "w": ["bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge", "=", "/="],
    "f": ["<", "<=", ">", ">=", "=", "/="],
}
LEAVES = {
    "i": ["i", "j", "3", "0", "a[i]", "a[j <- 2][i]", "[0 <- i, j <- 5, default <- 9][i]"],
    "r": ["r", "s", "1 % 2", "2", "i"],
    "w": ["w", "v", "4'd3", "4'b1000", "(w ++ v)[6:2]", "(v[2:0] bv_sign_extend bv[4])",
          "(v[3:0] bv_zero_extend bv[4])"],
    "f": ["f", "8'd127.23'd0", "8'd0.23'd1", "(fptofp[8:24] h)", "(fpfrombv[8:24][s] w)",
          "(fpfrombv[8:24][u][RTN] v)"],
}  # fmt: skip
PREFIXES = {"i": ["-", "+"], "r": ["-"], "w": ["bvneg", "bvnot", "bvpos"],
            "f": ["-", "fpabs", "fpsqrt[RTN]", "fproundtoint[RTZ]", "fpneg"]}  # fmt: skip


def _arithmetic(rng: random.Random, kind: str, depth: int) -> str:
    if depth == 0 or rng.random() < 0.2:
        return rng.choice(LEAVES[kind])
    if rng.random() < 0.15:
        return f"({rng.choice(PREFIXES[kind])} {_arithmetic(rng, kind, depth - 1)})"
    if rng.random() < 0.1:
        arms = (_condition(rng, 1), _arithmetic(rng, kind, depth - 1), _arithmetic(rng, kind, depth - 1))
        return "(if {} then {} else {})".format(*arms)
    left, right = _arithmetic(rng, kind, depth - 1), _arithmetic(rng, kind, depth - 1)
    return f"({left} {rng.choice(OPERATORS[kind])} {right})"


def _condition(rng: random.Random, depth: int) -> str:
    if depth == 0 or rng.random() < 0.2:
        return rng.choice(["p", "q", "true"])
    if rng.random() < 0.5:
        kind = rng.choice("irwf")
        return f"{_arithmetic(rng, kind, 2)} {rng.choice(RELATIONS[kind])} {_arithmetic(rng, kind, 2)}"
    if rng.random() < 0.2:
        return f"not ({_condition(rng, depth - 1)})"
    operator = rng.choice(["and", "or", "xor", "iff", "imply"])
    return f"({_condition(rng, depth - 1)}) {operator} ({_condition(rng, depth - 1)})"


@pytest.mark.parametrize("seed", range(20))
def test_interpreter_agrees_with_evaluation(seed: int) -> None:
    """Random expressions over all types: values of the tree, values of the term."""
    rng = random.Random(seed)
    compared = 0
    for _ in range(100):
        text = _condition(rng, 3)
        _, lowering, term, expr = lowered(text)
        values = {variable: value_of(variable.sort, rng) for variable in VARIABLES.values()}
        patterns = [0, 0x3F800000, 0xC0A00000, 0x7F800000, 0x80000000, 1, 0x7FC00000]
        values[VARIABLES["f"]] = rng.choice(patterns)
        values[VARIABLES["h"]] = rng.choice([0, 0x3C00, 0xC500, 0x7C00, 1])
        state = {name: values[variable] for name, variable in VARIABLES.items()}
        found = Interpreter(lowering.sorts).value(expr, state)  # type: ignore[arg-type]
        if found is not UNDEFINED:
            assert found == evaluate(term, values), text
            compared += 1
    assert compared > 50


@pytest.mark.parametrize(
    "text, value",
    [
        ("5 mod -3", 2), ("-5 mod 3", 1), ("-5 mod -3", 1),
        ("5 rem 3", 2), ("5 rem -3", -2), ("-5 rem 3", 1), ("-5 rem -3", -1),
        ("-5 / 3", -2), ("5 / -3", -1), ("-5 / -3", 2), ("1 % 3 + 1", Fraction(4, 3)),
        ("4'd9 bvrol 4'd1", 3), ("4'd9 bvror 4'd5", 12), ("4'd-7 bvsdiv 4'd2", 13), ("4'd9[3:1]", 0),
    ],
)  # fmt: skip
def test_values_as_theta_defines_them(text: str, value: object) -> None:
    _, lowering, term, expr = lowered(text)
    assert term.is_const and term.value == value
    assert Interpreter(lowering.sorts).value(expr, {}) == value  # type: ignore[arg-type]


def test_division_by_zero_gives_any_value(tmp_path: Path) -> None:
    text = """main process p {
        var x : int var y : int
        init loc A loc B error loc E error loc F
        A -> B { y := x / (x - x) }
        B -> E { assume y = 7 }
        B -> F { assume x / (x - x) /= x / (y - y) }
    }"""
    program = program_of(tmp_path, "zero.cfa", text)
    cfa = program.model
    assert isinstance(cfa, Cfa)
    assert program.assumptions == ("a division by zero yields any value",)
    # x - x folds to 0 in the model: the choice is still there, and shared for equal dividends.
    x, y, first, second = cfa.variables
    assert (first.name, second.name) == ("by_zero_1", "by_zero_2")
    run_to_e = CfaTrace(
        (cfa.initial, cfa.location("B"), cfa.location("E")),
        ({x: 1, y: 0, first: 0, second: 0}, *({x: 1, y: 7, first: 7, second: 0},) * 2),
        cfa.edges[:2],
    )
    assert program.replay(run_to_e)
    assert all(
        not evaluate(cfa.relation(cfa.edges[2]).guard, dict.fromkeys((*cfa.variables, local), 3))
        for local in cfa.relation(cfa.edges[2]).locals
    )


@pytest.mark.parametrize("name, reachable", [("product", True), ("rho", False), ("graph_B", False)])
def test_error_runs_are_replayed_and_mutants_refused(name: str, reachable: bool) -> None:
    program = load([EXAMPLES / "seeds" / f"{name}.cfa"])
    cfa = program.model
    assert isinstance(cfa, Cfa)
    rng = random.Random(1)
    confirmed = 0
    for _ in range(200):
        trace = random_run(cfa, rng, 60)
        if trace.locations[-1] not in cfa.errors:
            with pytest.raises(ReplayFailed):
                program.replay(trace)
            continue
        assert program.replay(trace)
        confirmed += 1
        for mutant in mutants(trace, rng):
            steps = zip(mutant.states, mutant.edges, mutant.states[1:], strict=False)
            good = all(successor(edge, before, after) == after for before, edge, after in steps)
            if not good or mutant.locations[-1] not in cfa.errors:
                with pytest.raises(ReplayFailed):
                    program.replay(mutant)
    assert (confirmed >= 10) is reachable


def test_deep_expressions(tmp_path: Path) -> None:
    deep = "(" * 5000 + "x" + ")" * 5000 + " + 1" * 5000
    nested = "not (" * 5000 + "x > 1" + ")" * 5000
    text = (
        "main process p { var x : int init loc A error loc E\n"
        f"A -> E {{ x := {deep} assume {nested} }} }}"
    )
    cfa = program_of(tmp_path, "deep.cfa", text).model
    assert isinstance(cfa, Cfa)
    assert [str(s) for s in cfa.edges[0].statements] == ["x := x + 5000", "[1 < x]"]
