"""Memory seen in every way C offers: the interpreter and the automata against compiled code.

The programs in ``memory/`` leave what they saw in ``r[]``; ``HEAD`` comes before each of them.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from differential_automaton import automaton_outputs, lowered_with
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
PROGRAMS = sorted((Path(__file__).parent / "memory").glob("*.c"))
HEAD = """
typedef __SIZE_TYPE__ size_t;
void *memmove(void *, const void *, size_t); void *memcpy(void *, const void *, size_t);
void *memset(void *, int, size_t); void *malloc(size_t); void *calloc(size_t, size_t); void free(void *);
void *realloc(void *, size_t);
int r[8];
"""

pytestmark = pytest.mark.skipif(not MODELS, reason="no C compiler")


@pytest.mark.parametrize("model", MODELS, ids=lambda m: m.name)
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_memory_is_what_compiled_code_sees(path: Path, model: DataModel) -> None:
    case = Case(HEAD + path.read_text(), ("r",), path.stem)
    program = parsed(case, model)
    expected = compiled(case, program, sizes_of(program, case.outputs), "-O0")
    _, found = interpreted(program, case.outputs)
    same(case, program, found, expected, "interpreter", "compiled code")
    types = output_types(program, case.outputs)
    found = automaton_outputs(program, lowered_with(program, "bv"), types, case.outputs)
    same(case, program, found, expected, "automaton (bv)", "compiled code")
    try:
        lowered = lowered_with(program, "int")
    except InputError as problem:
        assert "needs --arithmetic bv" in str(problem)
        return
    found = automaton_outputs(program, lowered, types, case.outputs)
    same(case, program, found, expected, "automaton (int)", "compiled code")
