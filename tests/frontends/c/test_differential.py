"""Random C programs: the interpreter and both encodings against compiled code.

A few hundred cases here; ``scripts/long-tests`` runs more than 10,000 expressions and 500
programs. Every difference is a bug: of the interpreter, of the lowering, or of the generator if
it made a program whose meaning C leaves open.
"""

from __future__ import annotations

import pytest
from differential_expressions import expression_case
from differential_programs import program_case
from differential_run import Case, available_models, compiled, interpreted, parsed, same, sizes_of

from revet.frontends.c.types import DataModel

MODELS = available_models()
pytestmark = pytest.mark.skipif(not MODELS, reason="no C compiler")
model = pytest.mark.parametrize("model", MODELS, ids=lambda m: m.name)

BATCH = 40  # expressions to a program


def check(case: Case, model: DataModel) -> None:
    """The interpreter and the compiled program leave the same outputs."""
    program = parsed(case, model)
    _, found = interpreted(program, case.outputs)
    expected = compiled(case, program, sizes_of(program, case.outputs))
    same(case, program, found, expected, "interpreter", "compiled code")


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
    check(program_case(seed, model), model)


@pytest.mark.long
@model
@pytest.mark.parametrize("seed", range(1000, 1130))
def test_many_expressions(seed: int, model: DataModel) -> None:
    check(expression_case(seed, model, BATCH), model)
    check(expression_case(seed, model, BATCH // 4, floats=True), model)


@pytest.mark.long
@model
@pytest.mark.parametrize("seed", range(1000, 1250))
def test_many_programs(seed: int, model: DataModel) -> None:
    check(program_case(seed, model), model)
