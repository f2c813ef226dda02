"""An interpreter of C source: the reference semantics, independent of the lowering.

It runs the typed syntax tree with exact C semantics for ILP32 or LP64: every integer type,
pointers and objects made of bytes, unions, bit-fields, floats, function pointers, recursion. A run
is driven by the values it draws (:mod:`draws`) and ends in an :class:`Outcome`; undefined
behaviour on the way is reported with its place.

| part | what it holds |
|---|---|
| :mod:`memory`, :mod:`access`, :mod:`floating` | objects and addresses; values as bytes |
| :mod:`expressions`, :mod:`effects`, :mod:`statements` | syntax tree → code of a stack machine |
| :mod:`operators`, :mod:`places`, :mod:`library`, :mod:`builtins` | its instructions |
| :mod:`machine` | frames, the loop, how a run ends |

Choices where C leaves one: operands are evaluated from left to right (the right side of an
assignment first) unless the order is drawn (:mod:`ordering`), signed overflow wraps and
out-of-range shifts use the low bits of the count (both noted), ``malloc`` fails as the
option says, plain ``char`` is signed. Out-of-bounds and null accesses, division by zero and calls through bad
pointers end the run as *undefined*.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING

from revet.errors import InputError, Unsupported
from revet.frontends.c.ast import CProgram
from revet.frontends.c.interpret.draws import Draw, Draws, Random, Recorded
from revet.frontends.c.interpret.machine import Code, Machine
from revet.frontends.c.interpret.outcome import Outcome, Undefined
from revet.frontends.c.interpret.recorder import Recorder
from revet.frontends.c.interpret.statements import FunctionCompiler
from revet.frontends.c.property import ERROR_FUNCTIONS

if TYPE_CHECKING:
    from revet.frontends.c.ast import Expr
    from revet.frontends.c.sequencing import Unit


class Codes:
    """The functions of a program, each compiled on its first call: for any number of runs.

    ``units`` are the expressions in which the order of evaluation is drawn, too; elsewhere operands are
    evaluated from left to right. ``aligned``: accesses look at the alignment of their addresses."""

    def __init__(
        self, program: CProgram, units: Mapping[Expr, Unit] | None = None, aligned: bool = False
    ) -> None:
        self._program = program
        self._units = units or {}
        self._aligned = aligned
        self._functions: dict[str, Code] = {}
        self._startups: dict[str, Code] = {}

    def function(self, name: str) -> Code:
        code = self._functions.get(name)
        if code is None:
            compiler = FunctionCompiler(self._program, self._units, self._aligned)
            code = self._functions[name] = compiler.compile(self._program.functions[name])
        return code

    def startup(self, entry: str) -> Code:
        """The initial values of globals, and the call of ``entry``. Raises :class:`InputError` where there is
        no such function."""
        code = self._startups.get(entry)
        if code is None:
            program = self._program
            if entry not in program.functions:
                raise InputError(f"{program.files[0]}: there is no function {entry}")
            compiler = FunctionCompiler(program, self._units, self._aligned)
            code = self._startups[entry] = compiler.startup(program, program.functions[entry])
        return code


def run(
    program: CProgram,
    draws: Draws,
    *,
    entry: str = "main",
    error_functions: Iterable[str] = ERROR_FUNCTIONS,
    stop_at: Collection[str] = (),
    recorder: Recorder | None = None,
    codes: Codes | None = None,
    malloc: str = "if-too-large",
    max_steps: int = 20_000_000,
    max_seconds: float = 60.0,
) -> Outcome:
    """Run ``entry`` with the given draws.

    ``stop_at`` names kinds of undefined behaviour that count as the error (``overflow`` for the
    no-overflow property). ``codes`` are those of earlier runs. ``malloc`` is the option: if it may fail, that
    is drawn.
    """
    codes = codes or Codes(program, aligned="alignment" in stop_at)
    machine = Machine(
        program, draws, codes.function, frozenset(error_functions), frozenset(stop_at), recorder,
        max_steps, max_seconds, malloc=malloc,
    )
    try:
        return machine.run(codes.startup(entry))
    except Unsupported as error:
        return Outcome("unsupported", error.message, error.position, None)


__all__ = ["Codes", "Draw", "Draws", "Outcome", "Random", "Recorded", "Recorder", "Undefined", "run"]
