"""THETA's transition systems: both notations, quantifiers, errors with their places."""

from pathlib import Path

import pytest

from revet.api import check
from revet.errors import InputError
from revet.frontends.sts import program_of

EXAMPLES = Path(__file__).parents[3] / "examples/sts"

SYSTEM = """specification S {{
    system s := {{
        var x : int
        var a : [int] -> int
        initial x = 0
        initial forall (i : int) : a[i] >= 0
        transition x' = (if x < 3 then x + 1 else 0) and a' = a[x <- x]
    }}
    property first : s models G({claim})
}}"""


def program(text, name="test.system"):
    return program_of(text, Path(name))


@pytest.mark.parametrize(("claim", "verdict"), [("x <= 3", "safe"), ("x < 3", "unsafe")])
def test_verdicts(claim, verdict):
    assert check(program(SYSTEM.format(claim=claim).replace("initial forall (i : int) : a[i] >= 0", "")),
                 engine="kind").status == verdict


def test_quantifiers_are_read():
    init = program(SYSTEM.format(claim="x <= 3")).model.init
    assert init.quantified


@pytest.mark.parametrize(("name", "verdict"), [("elevator.system", "safe"), ("wrap.sts", "unsafe")])
def test_the_examples(name, verdict):
    assert check(str(EXAMPLES / name), engine="kind").status == verdict


LISP = (
    "(system (var x Int) (init (= x 0)) (trans (= (prime x) (+ x 2)))"
    " (trans (prime (>= x 0))) (prop (/= x {})))"
)


@pytest.mark.parametrize(("bad", "verdict"), [(5, "safe"), (6, "unsafe")])
def test_the_lisp_notation(bad, verdict):
    assert check(program(LISP.format(bad), "test.sts"), engine="pdr-ia").status == verdict


@pytest.mark.parametrize(("text", "line", "column", "message"), [
    ("specification S { property p : t models G(true) }", 1, 32, "no system t"),
    ("specification S { property p : { var x : int var x : int } models G(true) }", 1, 50, "twice"),
    ("specification S { property p : { } models F(true) }", 1, 43, "only properties"),
    ("specification S { property p : { var x : int } models G(x' = x) }", 1, 57, "next values"),
    ("specification S { property p : { var x : int } models G(y = x) }", 1, 57, "unknown variable y"),
    ("specification S { property p : { goto x } models G(true) }", 1, 34, "expected var"),
    ("specification S { }", 1, 1, "no property"),
])
def test_errors_have_places(text, line, column, message):
    with pytest.raises(InputError, match=message) as caught:
        program(text)
    if line is not None:
        assert (caught.value.position.line, caught.value.position.column) == (line, column)


@pytest.mark.parametrize(("text", "message"), [
    ("(system (var x Int) (init (prime (= x 0))) (prop true))", "next values"),
    ("(system (var x Int) (trans (prime (prime (= x 0)))) (prop true))", "again"),
    ("(system (var x Int))", "no property"),
    ("(system (var x Int) (prop true)) )", "end of the text"),
    ("(system (goal true))", "expected var"),
    ("(sistem)", "expected"),
    ("", "expected"),
])
def test_errors_of_the_lisp_notation(text, message):
    with pytest.raises(InputError, match=message):
        program(text, "test.sts")
