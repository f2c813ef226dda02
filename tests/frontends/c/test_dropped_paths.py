"""Where lowering ends a run although the program might go on: every such place is known and says why.

A path that the model drops takes its violations with it, so each place is one of

- *the run ends*: the program ends there, too (``abort``, a failed assumption of the program's own);
- *a fact*: what is assumed always holds (a drawn value is one of its type);
- *said*: behaviour would be undefined or is excluded by a rule, and the answer lists the assumption.

Whatever else the model does not follow leads to an open end, and the answer is *unknown*.
"""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

import revet
from revet.frontends.c import lower

_LOWER = Path(lower.__file__).parent
_ENDS, _FACT, _SAID = "the run ends", "a fact", "said"
_KNOWN = {
    ("byte_memory", "_bits_of", "assume"): (1, _FACT),  # some pattern reads back as the value
    ("calls", "_call_shared", "assume"): (1, _FACT),  # a shared body returns to its caller
    ("calls", "_external", "dead_end"): (1, _SAID),  # f() has no body: it does not return
    ("context", "assume", "assume"): (1, _FACT),  # under the conditions of an expression
    ("context", "assume_range", "assume"): (1, _FACT),
    ("context", "require", "assume"): (1, _SAID),  # the one door for undefined behaviour
    ("evaluation", "_choice", "assume"): (1, _FACT),  # one of the orders
    ("heap", "_new", "assume"): (3, _SAID),  # memory allocation never fails, or where it must
    ("heap", "_new", "dead_end"): (1, _SAID),
    ("heap", "_calloc", "assume"): (1, _SAID),
    ("heap", "_tracked", "assume"): (2, _SAID),
    ("library", "_assume", "assume"): (1, _ENDS),  # __VERIFIER_assume
    ("library", "_end", "dead_end"): (1, _ENDS),  # exit; __builtin_unreachable is said
    ("library", "_error", "dead_end"): (1, _ENDS),  # a failed assertion that is not what is checked
    ("library", "_print", "assume"): (1, _SAID),  # writing to a stream succeeds
    ("numbers", "of", "assume"): (2, _FACT),  # what is known about the numbers of addresses
    ("numbers", "_searched", "assume"): (1, _FACT),
    ("pointer_calls", "call", "dead_end"): (1, _SAID),  # context.REACHED
    ("remainders", "_signed", "assume"): (1, _FACT),  # what holds of the remainder of any two numbers
    ("statements", "dead_end", "assume"): (1, _ENDS),  # what the others call
}


def _places() -> Counter[tuple[str, str, str]]:
    """Calls that end runs, by module and function."""
    found: Counter[tuple[str, str, str]] = Counter()
    for file in sorted(_LOWER.glob("*.py")):
        for function in ast.walk(ast.parse(file.read_text("utf-8"))):
            if not isinstance(function, ast.FunctionDef):
                continue
            for call in ast.walk(function):
                name = getattr(call.func, "attr", "") if isinstance(call, ast.Call) else ""
                if name in ("assume", "dead_end"):
                    found[file.stem, function.name, name] += 1
    return found


def test_every_place_that_drops_a_path_is_known() -> None:
    assert dict(_places()) == {place: count for place, (count, _) in _KNOWN.items()}


_HEAD = "extern void reach_error(void);\nint nd(void);\n"
_OPEN = {
    "too few arguments, without a prototype": """
        int f(int a, int b) { return a; }
        int main(void) { int (*p)() = (int (*)())f; if (p(1) == 2) return 0; reach_error(); }""",
    "a parameter of another type": """
        int f(long a) { return a > 5; }
        int main(void) {
          int (*p)(short) = (int (*)(short))f; if (p(7) < 2) return 0; reach_error(); }""",
    "a result of another type": """
        double f(void) { return 1; }
        int main(void) {
          void *q = (void *)f; int (*p)(void) = q; if (p() == 1) return 0; reach_error(); }""",
    "a function from a union": """
        double f(double x) { return x; }
        union u { double (*f)(double); int (*g)(int); };
        int main(void) {
          union u u; u.f = f; if (u.g(1) == 1) return 0; reach_error(); }""",
    "a truth value that is none": """
        int main(void) {
          unsigned char c = 2; _Bool *b = (_Bool *)&c; if (*b) return 0; reach_error(); }""",
}


@pytest.mark.parametrize("name", _OPEN)
def test_what_the_model_does_not_follow_is_unknown(name: str, tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(_HEAD + _OPEN[name])
    answer = revet.check(file, engine="bmc", timeout=20, property="assertions")
    assert answer.status == "unknown", answer.verdict


def test_a_definition_unlike_its_declaration_is_unknown(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(_HEAD + "int main(void) { if (g(1) == 1) return 0; reach_error(); }")
    (tmp_path / "b.c").write_text("double g(int x) { return x; }")
    answer = revet.check([tmp_path / "a.c", tmp_path / "b.c"], engine="bmc", property="assertions")
    assert answer.status == "unknown", answer.verdict


def test_a_result_has_the_type_that_its_caller_declares(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(
        _HEAD + "unsigned g(void); int main(void) { if (g() > 5) return 0; reach_error(); }"
    )
    (tmp_path / "b.c").write_text("int g(void) { return -1; }")
    answer = revet.check([tmp_path / "a.c", tmp_path / "b.c"], engine="bmc", property="assertions")
    assert answer.status == "safe", answer.verdict


def test_what_is_declared_unreachable_is_said(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(_HEAD + """int main(void) {
      int x = nd();
      if (x == 3) __builtin_unreachable();
      if (x == 3) reach_error();
      return 0; }""")
    answer = revet.check(file, engine="bmc", timeout=20, property="assertions")
    assert answer.status == "safe"
    said = "what the program declares unreachable is not reached (program.c:5)"
    assert said in answer.program.assumptions, answer.program.assumptions
