"""Random C programs: the interpreter and both encodings against compiled code.

A few hundred cases here; ``scripts/long-tests`` runs more than 10,000 expressions and 500
programs. Every difference is a bug: of the interpreter, of the lowering, or of the generator if
it made a program whose meaning C leaves open.
"""

from __future__ import annotations

import pytest
from differential_automaton import automaton_outputs, lowered_with
from differential_expressions import expression_case
from differential_programs import program_case
from differential_run import (
    Case,
    available_models,
    compiled,
    interpreted,
    output_types,
    parsed,
    same,
    sizes_of,
)

from revet.errors import InputError
from revet.frontends.c.types import DataModel

MODELS = available_models()
pytestmark = pytest.mark.skipif(not MODELS, reason="no C compiler")
model = pytest.mark.parametrize("model", MODELS, ids=lambda m: m.name)

arithmetic = pytest.mark.parametrize("arithmetic", ["int", "bv"])

BATCH = 40  # expressions to a program
FEATURES = [
    {"pointers": False, "structures": False}, {"pointers": False, "structures": True},
    {"pointers": True, "structures": True},
    {"pointers": True, "structures": True, "views": True},
]


def check(case: Case, model: DataModel) -> None:
    """The interpreter and the compiled program leave the same outputs."""
    program = parsed(case, model)
    _, found = interpreted(program, case.outputs)
    expected = compiled(case, program, sizes_of(program, case.outputs))
    same(case, program, found, expected, "interpreter", "compiled code")


def check_automaton(case: Case, model: DataModel, arithmetic: str) -> bool:
    """The lowered program leaves the same outputs as the interpreter; False if not lowered."""
    program = parsed(case, model)
    try:
        lowered = lowered_with(program, arithmetic)
    except InputError:  # unsupported, or an operation that this encoding does not have
        return False
    _, expected = interpreted(program, case.outputs)
    found = automaton_outputs(program, lowered, output_types(program, case.outputs), case.outputs)
    same(case, program, found, expected, f"automaton ({arithmetic})", "interpreter")
    return True


@model
@pytest.mark.parametrize("seed", range(3))
def test_expressions(seed: int, model: DataModel) -> None:
    check(expression_case(seed, model, BATCH), model)


@model
def test_float_expressions(model: DataModel) -> None:
    check(expression_case("float", model, BATCH, floats=True), model)


@model
@pytest.mark.parametrize("seed", range(6))
def test_programs(seed: int, model: DataModel) -> None:
    check(program_case(seed, model, views=seed % 2 == 0), model)


@model
@arithmetic
def test_automata_of_expressions(model: DataModel, arithmetic: str) -> None:
    bits = arithmetic == "bv"
    lowered = [
        check_automaton(expression_case(seed, model, BATCH, bits=bits), model, arithmetic)
        for seed in range(3)
    ]
    assert any(lowered)


@model
def test_automata_of_float_expressions(model: DataModel) -> None:
    assert check_automaton(expression_case("float", model, BATCH, floats=True), model, "bv")


@model
@arithmetic
@pytest.mark.parametrize("features", FEATURES, ids=["plain", "structures", "pointers", "views"])
def test_automata_of_programs(features: dict[str, bool], model: DataModel, arithmetic: str) -> None:
    bits = arithmetic == "bv"
    for seed in range(3):
        check_automaton(program_case(seed, model, bits=bits, **features), model, arithmetic)


@pytest.mark.long
@model
@pytest.mark.parametrize("seed", range(1000, 1130))
def test_many_expressions(seed: int, model: DataModel) -> None:
    case = expression_case(seed, model, BATCH)
    check(case, model)
    check_automaton(case, model, "bv")
    check_automaton(expression_case(seed, model, BATCH, bits=False), model, "int")
    case = expression_case(seed, model, BATCH // 4, floats=True)
    check(case, model)
    check_automaton(case, model, "bv")


@pytest.mark.long
@model
@pytest.mark.parametrize("seed", range(1000, 1250))
def test_many_programs(seed: int, model: DataModel) -> None:
    check(program_case(seed, model, views=True), model)
    features = FEATURES[seed % len(FEATURES)]
    for arithmetic in ("int", "bv"):
        case = program_case(seed, model, bits=arithmetic == "bv", **features)
        check_automaton(case, model, arithmetic)
        if arithmetic == "bv":
            check(case, model)
