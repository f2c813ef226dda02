"""Recursive procedures: inlined to a depth beyond which nothing is claimed, or proved by summaries."""

from __future__ import annotations

from pathlib import Path

import pytest

from revet.api import as_program
from revet.budget import Budget
from revet.checker.certificate import check_certificate
from revet.driver.answer import Answer
from revet.driver.run import solve
from revet.engines.common.context import Context
from revet.engines.pdr_cfa import Options, check_procedures
from revet.frontends.registry import load
from revet.result import ProcedureContracts, Safe, Unknown
from tests.engines.summaries.test_summaries import countdown

PROGRAM = """\
extern void __VERIFIER_error(void);
extern int __VERIFIER_nondet_int(void);
int count(int n) {{ if (n <= 0) return 0; return count(n - 1) + 1; }}
int main() {{
  int n = __VERIFIER_nondet_int();
  if (n >= 0 && n < {most}) {{ if ({bad}) __VERIFIER_error(); }}
  return 0;
}}
"""


@pytest.mark.parametrize(
    ("most", "bad", "status"),
    [
        (1000, "count(n) != n", "unknown"),  # true, but no depth of inlining shows it
        (1000, "count(n) == 2", "unsafe"),
        (3, "count(n) != n", "safe"),  # the recursion ends by itself
    ],
)
@pytest.mark.parametrize("engine", ["pdr-cfa", "cegar"])
def test_beyond_the_inlined_depth_nothing_is_claimed(
    engine: str, most: int, bad: str, status: str, tmp_path: Path
) -> None:
    """``pdr-cfa`` finds the contract that ``cegar`` has no words for."""
    expected = "safe" if (engine, status) == ("pdr-cfa", "unknown") else status
    seconds = 8 if expected == "unknown" else 60
    assert answered(PROGRAM.format(most=most, bad=bad), engine, tmp_path, seconds).status == expected


def answered(text: str, engine: str, folder: Path, seconds: float = 60) -> Answer:
    path = folder / "program.c"
    path.write_text(text)
    program = as_program(load([path], {"property": "assertions"}))
    return solve(program, engine, context=Context(Budget(seconds)))


HEAD = "extern void __VERIFIER_error(void); extern int __VERIFIER_nondet_int(void);\n"
NINETY_ONE = """int f(int x) { if (x > 100) return x - 10; return f(f(x + 11)); }
int main() { int x = __VERIFIER_nondet_int(); if (f(x) != %s && x <= 101) __VERIFIER_error(); return 0; }"""
PARITY = """int odd(int n);
int even(int n) { if (n == 0) return 1; return odd(n - 1); }
int odd(int n) { if (n == 0) return 0; return even(n - 1); }
int main() { int n = __VERIFIER_nondet_int(); if (n < 0) return 0; int r = even(n);
  if (r < 0 || r > %s) __VERIFIER_error(); return 0; }"""
GLOBAL = """int depth; void down(int n) { depth++; if (n > 0) down(n - 1); depth--; }
int main() { depth = 0; down(__VERIFIER_nondet_int()); if (depth != %s) __VERIFIER_error(); return 0; }"""


@pytest.mark.parametrize(("text", "right", "wrong"), [
    (NINETY_ONE, "91", "92"), (PARITY, "1", "0"), (GLOBAL, "0", "1"),
], ids=["nested calls", "two procedures", "a global"])
def test_summaries(text: str, right: str, wrong: str, tmp_path: Path) -> None:
    """Proved by contracts that the checker accepts; a wrong program is never proved, and its run is found."""
    proved = answered(HEAD + text % right, "pdr-cfa", tmp_path)
    assert proved.status == "safe", proved.reason
    assert isinstance(proved.verdict.certificate, ProcedureContracts)  # type: ignore[union-attr]
    assert answered(HEAD + text % wrong, "pdr-cfa", tmp_path).status == "unsafe"


def test_an_error_behind_calls_is_no_proof() -> None:
    """The procedures alone: f(n) is not n + 1."""
    verdict = check_procedures(countdown(counted=False, wrong=1), Options(), Context(Budget(60)))
    assert isinstance(verdict, Unknown) and "through recursive calls" in verdict.reason
    right = countdown(counted=False)
    proof = check_procedures(right, Options(), Context(Budget(60)))
    assert isinstance(proof, Safe) and check_certificate(right, proof.certificate, Budget(20)).accepted
