"""The examples of the papers and lecture notes that Revet started from, as files under examples/.

Verdicts of all four kinds of bounded model checking, with every answer checked; runs and
invariants that the texts give, confirmed or refused as the texts say.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from revet.budget import Budget
from revet.checker.certificate import check_certificate
from revet.checker.replay import replay
from revet.engines import bmc
from revet.engines.common.context import Context
from revet.frontends import Program, ReplayFailed, load
from revet.frontends.kit.expressions import parse_formula
from revet.model.cfa import Cfa, Edge
from revet.result import Safe, Unknown, Unsafe
from revet.result.certificate import LocationInvariants
from revet.result.trace import CfaTrace
from tests.frontends.walks import EXAMPLES

# file: (forward, backward) verdict of bounded model checking up to 20 steps
VERDICTS = {
    "seeds/transition_system_W.aut": ("safe", "safe"),
    "seeds/transition_system_W_flipped.aut": ("unsafe after 2", "unsafe after 2"),
    "seeds/symbolic_system.cfa": ("safe", "safe"),
    "seeds/product.cfa": ("unsafe after 7", "unsafe after 7"),
    "seeds/product.aut": ("unsafe after 7", "unsafe after 7"),
    "seeds/graph_A.aut": ("unsafe after 3", "unsafe after 3"),
    "seeds/graph_B.cfa": ("unknown", "unknown"),
    "seeds/lock.aut": ("unknown", "safe"),
    "seeds/rho.aut": ("unknown", "unknown"),
    "seeds/rho.spa": ("unknown", "unknown"),
    "seeds/rho.cfa": ("unknown", "unknown"),
    "spa/lock.spa": ("unknown", "safe"),
    "spa/countdown.spa": ("unsafe after 10", "unsafe after 10"),
    "spa/division.spa": ("safe", "safe"),
}


def example(name: str) -> tuple[Program, Cfa]:
    program = load([EXAMPLES / name])
    assert isinstance(program.model, Cfa)
    return program, program.model


def test_every_example_of_these_languages_has_a_verdict() -> None:
    found = {str(path.relative_to(EXAMPLES)) for path in EXAMPLES.glob("s[!t]*/*") if path.suffix != ".sts"}
    assert found == set(VERDICTS)


@pytest.mark.parametrize("direction", ["forward", "backward"])
@pytest.mark.parametrize("strategy", ["global", "depth-first"])
@pytest.mark.parametrize("name", VERDICTS)
def test_verdicts(name: str, strategy: str, direction: str) -> None:
    program, cfa = example(name)
    options = bmc.Options(strategy=strategy, direction=direction, bound=20)  # type: ignore[arg-type]
    verdict = bmc.check(cfa, options, Context(budget=Budget(60)))
    match verdict:
        case Safe(certificate):
            assert check_certificate(cfa, certificate).accepted
            answer = "safe"
        case Unsafe(trace):
            replay(cfa, trace)
            assert program.replay(trace)
            answer = f"unsafe after {len(trace)}" if strategy == "global" else "unsafe"
        case Unknown():
            answer = "unknown"
    assert VERDICTS[name][direction == "backward"].startswith(answer)


@pytest.mark.parametrize("direction", ["forward", "backward"])
@pytest.mark.parametrize("strategy", ["global", "depth-first"])
def test_a_program_without_assertions_is_safe(tmp_path: Path, strategy: str, direction: str) -> None:
    path = tmp_path / "p.spa"
    path.write_text("x = 1;")
    cfa = load([path]).model
    options = bmc.Options(strategy=strategy, direction=direction)  # type: ignore[arg-type]
    verdict = bmc.check(cfa, options, Context())
    assert isinstance(verdict, Safe) and check_certificate(cfa, verdict.certificate).accepted


def test_the_run_of_table_2_1() -> None:
    program, cfa = example("seeds/product.cfa")
    x, y = cfa.variables
    e1, e2, e3, e4, e5 = cfa.edges
    values = [(36, 42), (0, 42), (0, 10), (0, 0), (1, 0), (1, 21), (1, 21), (1, 21)]
    mu_1 = _trace([e1, e2, e3, e4, e2, e3, e5], [{x: a, y: b} for a, b in values])
    replay(cfa, mu_1)
    assert program.replay(mu_1) == ["replayed 7 steps on the automaton as written"]
    # The table itself has 42 for 1 * 21 (an error of the text): the interpreter refuses it.
    table = [*values[:6], (1, 42), (1, 42)]
    with pytest.raises(ReplayFailed, match="step 6, y := x \\* y: y is 21, not 42"):
        program.replay(_trace([e1, e2, e3, e4, e2, e3, e5], [{x: a, y: b} for a, b in table]))
    # mu_2 leaves in the first round, where y is 0.
    with pytest.raises(ReplayFailed, match="assume y > 20 does not hold"):
        program.replay(_trace([e1, e2, e3, e5], [{x: a, y: b} for a, b in (*values[:4], (0, 0))]))


def _trace(edges: list[Edge], states: list[dict]) -> CfaTrace:  # type: ignore[type-arg]
    return CfaTrace((edges[0].source, *(edge.target for edge in edges)), tuple(states), tuple(edges))


@pytest.mark.parametrize(
    "name, formulas, condition",
    [
        # W: R1 = {a, b, d} is an invariant but not safe, R2 = {a, b} is a safety invariant.
        ("transition_system_W.aut", {"a": "true", "b": "true", "c": "false", "d": "true"}, "safety"),
        ("transition_system_W.aut", {"a": "true", "b": "true", "c": "false", "d": "false"}, None),
        # rho: the strongest invariant, a weaker one, and one that is too weak.
        ("rho.aut", {"l2": "y >= z", "l3": "y >= z and x >= y", "l4": "y >= z && x >= y"}, None),
        ("rho.aut", {"l2": "y >= z", "l3": "y >= z and x >= y", "l4": "true"}, None),
        ("rho.cfa", {"l2": "y >= z", "l3": "y >= z and x >= y"}, None),
        ("rho.spa", {"L3": "y >= z"}, None),
        ("rho.spa", {"L3": "x <= z"}, "consecution"),
        ("graph_B.cfa", {"l1": "x = y"}, None),
        ("graph_B.cfa", {"l1": "x >= 0"}, "consecution"),
        ("lock.aut", {"q_2": "L == 0"}, None),
    ],
)
def test_invariants_written_by_hand(name: str, formulas: dict[str, str], condition: str | None) -> None:
    _, cfa = example(f"seeds/{name}")
    variables = {variable.name: variable for variable in cfa.variables}
    certificate = LocationInvariants(
        {cfa.location(place): parse_formula(text, variables, place) for place, text in formulas.items()}
    )
    report = check_certificate(cfa, certificate)
    assert report.accepted is (condition is None), str(report)
    assert report.condition == condition
