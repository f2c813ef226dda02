"""``Spec.verify_c``: the generated C proved equal to the specification's transition system, by Revet.

A C program, ``NAME_proof.c``, states it, and Revet's own C front end, engines and checker prove it. It
includes ``NAME.c`` as it was generated and has two parts:

*start*    the initial values of the buffers, and those after ``reset`` from any values whatever, are the
           initial state of the transition system;
*instant*  take any state and any inputs, and buffers that hold that state (a ring buffer may begin at any
           place). Then one call of ``step`` sets the observers and makes the calls that the terms of the
           transition system say, in their order and with their arguments, and then the buffers hold the
           next state.

By induction on instants, the two agree at all of them. (If this takes too long as one question, it is asked
observer by observer, and the program that was checked is one of several.) The terms are written in C by
:mod:`revet.streams.c_terms`, not by the generator. All of Revet's checks for undefined behaviour are on.

What is trusted: the transition system (the interpreter confirms it in tests, not here), ``c_terms``, the C
front end, the checker; that triggers change nothing that the monitor reads. Functions as sine may have any
values in the proof; both sides apply them to the same arguments.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Literal

from revet.errors import RevetError
from revet.streams.c_code import cell, is_ring
from revet.streams.c_operators import c_type
from revet.streams.c_recorder import ALL_CALLS, count_variable, leaf_variable, order_variable, recorder
from revet.streams.c_terms import CTerms, NotInC, c_sort
from revet.streams.c_types import declaration, extern_variables
from revet.streams.flatten import schedule
from revet.streams.translate import Terms
from revet.streams.types import Scalar

if TYPE_CHECKING:
    from revet.driver.answer import Answer
    from revet.logic.terms import Term
    from revet.streams.c_code import CProgram
    from revet.streams.spec import Spec

PROPERTIES = "assertions,bounds,pointers,arithmetic"
_BINARY = ("pow", "atan2")


@dataclass(frozen=True)
class CProof:
    """``proved``: for all instants, without undefined behaviour. ``refuted``: an instant was found, and
    confirmed by running the C, at which they differ. ``program`` is the C program that was checked."""

    name: str
    status: Literal["proved", "refuted", "unknown"]
    program: str
    answer: Answer | None
    reason: str = ""

    def __bool__(self) -> bool:
        return self.status == "proved"

    def __str__(self) -> str:
        words = {
            "proved": "the C code is proved equal to the specification",
            "refuted": f"the C code differs from the specification: {self.reason}",
            "unknown": f"not decided: {self.reason}",
        }
        return f"{self.name}: {words[self.status]}"


def verify_c(
    spec: Spec, program: CProgram, engine: str | None, timeout: float | None, folder: str | Path | None
) -> CProof:
    from revet.api import check

    proof = _Proof(spec, program)
    try:
        text = proof.text()
    except NotInC as problem:
        return CProof(spec.name, "unknown", "", None, str(problem))
    end = math.inf if timeout is None else monotonic() + timeout
    with tempfile.TemporaryDirectory(prefix="revet-verify-") as temporary:
        place = Path(temporary if folder is None else folder)
        program.write(place)
        file = place / f"{program.name}_proof.c"

        def ask(program_text: str, seconds: float) -> CProof:
            file.write_text(program_text)
            limit = None if seconds == math.inf else max(seconds, 1.0)
            try:
                answer = check(file, engine=engine, timeout=limit, property=PROPERTIES, arithmetic="bv")
            except RevetError as problem:
                return CProof(spec.name, "unknown", text, None, str(problem))
            return _told(spec, text, proof, answer)

        found = ask(text, (end - monotonic()) / 3)
        if found.status == "unknown" and proof.parts > 1 and monotonic() < end:
            found = _part_by_part(proof, ask, end)
        file.write_text(text)
    return found


def _part_by_part(proof: _Proof, ask: Callable[[str, float], CProof], end: float) -> CProof:
    """One question for each observer, the calls and the next state: each needs only its own share."""
    for part in range(proof.parts):
        found = ask(proof.text(part), (end - monotonic()) / (proof.parts - part))
        if found.status != "proved":
            break
    return found


def _told(spec: Spec, text: str, proof: _Proof, answer: Answer) -> CProof:
    if answer.status == "safe":
        assumed = list(answer.program.assumptions)
        if assumed:
            return CProof(spec.name, "unknown", text, answer, f"it would assume: {'; '.join(assumed)}")
        return CProof(spec.name, "proved", text, answer)
    if answer.status == "unsafe" and not proof.functions:
        return CProof(spec.name, "refuted", text, answer, "a run of the program that compares them fails")
    reason = answer.reason or f"{', '.join(proof.functions)} may be other functions than in the run found"
    return CProof(spec.name, "unknown", text, answer, reason)


class _Proof:
    """The C program of one specification."""

    def __init__(self, spec: Spec, program: CProgram) -> None:
        self.spec = spec
        self.program = program
        self.flat = program.flat
        self.terms = Terms(self.flat, kept=True)
        self.node_of = dict(zip(spec.outputs(), self.flat.roots, strict=True))
        self.functions: dict[str, list[str]] = {}
        self.parts = 0

    def text(self, part: int | None = None) -> str:
        """The whole program, or one that asserts only a part of what holds after a step."""
        instant, helpers = self._instant(part)
        externs = extern_variables(self.flat.externs.values())
        lines = [
            f"/* Is {self.program.name}.c what the monitor {self.spec.name} says? Generated by Revet, for",
            f"   revet check --arithmetic bv -e bmc -p {PROPERTIES} {self.program.name}_proof.c */",
            "#include <math.h>", "#include <stdbool.h>", "#include <stdint.h>", "#include <revet.h>", "",
            *_SAME, *(line for lines in self.functions.values() for line in lines),
            f'#include "{self.program.name}.c"', "",
            *(f"{declaration(name, type_)};" for name, type_ in externs.items()),
            *recorder(self.spec), "", *helpers, "",
            "static void revet_start(void) {", *(f"  {line}" for line in self._start()), "}", "",
            "static void revet_instant(void) {", *(f"  {line}" for line in instant), "}", "",
            "int main(void) {", "  if (revet_any_bool()) revet_start(); else revet_instant();",
            "  return 0;", "}", "",
        ]
        return "\n".join(lines)

    def _start(self) -> list[str]:
        """The first state is that of the transition system, at the beginning and after a reset."""
        lines = ["if (revet_any_bool()) {"]
        for delay, buffer in self.program.buffers.items():
            size = len(delay.buffer)
            lines += [f"  {buffer}_at = 0;"] if is_ring(delay) else []
            lines += [f"  {cell(buffer, delay, n)} = {any_value(delay.type)};" for n in range(size)]
            lines += [f"  {buffer}_at = revet_any_size();"] if is_ring(delay) else []
        lines += [f"  {self.program.reset}();", "}"]
        _, first = self.terms.memory()
        printer = CTerms({}, _reference)
        for delay, buffer in self.program.buffers.items():
            size = len(delay.buffer)
            if is_ring(delay):
                lines.append(f"revet_assert({buffer}_at < {size});")
            for n in range(size):
                value = printer.name(first[self.terms.cells[delay][n]])
                lines.append(_assert_same(cell(buffer, delay, n), value, delay.type))
        return lines

    def _instant(self, part: int | None) -> tuple[list[str], list[str]]:
        """Statements, and the functions that they use."""
        lines, variables = self._any_state()
        for number, node in enumerate(self.flat.externs.values()):
            lines.append(f"const {c_type(node.type)} revet_i{number} = {any_value(node.type)};")
            lines.append(f"{node.name} = revet_i{number};")
            variables[self.terms.inputs[node.name]] = _bits(f"revet_i{number}", node.type)
        printer = CTerms(variables, _reference)
        observers = [[one] for one in self._observers(printer)]
        parts = [one for one in (*observers, self._calls(printer), self._next_state(printer)) if one]
        self.parts = len(parts)
        after = [line for number, one in enumerate(parts) if part in (None, number) for line in one]
        self.functions = {
            name: _function(name, len(numbers), self._order(numbers))
            for name, numbers in printer.applied.items()
        }
        lines += ["/* what the transition system says */", *printer.lines]
        lines += ["/* what the C code does */", f"{self.program.step}();"]
        return [*lines, *after], list(printer.helpers.values())

    def _order(self, numbers: dict[Term, int]) -> list[int]:
        """The applications of a function in the order in which the generated code makes them."""
        order = schedule([*self.flat.roots, *self.flat.updates.values()])
        return [numbers[self.terms[node]] for node in order if self.terms[node] in numbers]

    def _any_state(self) -> tuple[list[str], dict[Term, str]]:
        lines, variables = ["/* any state, anywhere in the buffers */"], {}
        for number, (delay, buffer) in enumerate(self.program.buffers.items()):
            size = len(delay.buffer)
            if is_ring(delay):
                lines += [f"{buffer}_at = revet_any_size();", f"revet_assume({buffer}_at < {size});"]
            for n in range(size):
                name = f"revet_c{number}_{n}"
                lines.append(f"const {c_type(delay.type)} {name} = {any_value(delay.type)};")
                lines.append(f"{cell(buffer, delay, n)} = {name};")
                variables[self.terms.cells[delay][n]] = _bits(name, delay.type)
        return lines, variables

    def _observers(self, printer: CTerms) -> list[str]:
        lines = []
        for name, node in self.spec.observers.items():
            variable, type_ = self.program.observers[name]
            lines.append(_assert_same(variable, printer.name(self.terms[self.node_of[node]]), type_))
        return lines

    def _calls(self, printer: CTerms) -> list[str]:
        """Every call that is due has been made, as the next one of its function, and no other."""
        calls = self.spec.calls()
        if not calls:
            return []
        lines = ["unsigned revet_due = 0;", *(f"unsigned revet_due_{name} = 0;" for name in calls)]
        for trigger in self.spec.triggers:
            name, at = trigger.name, f"revet_due_{trigger.name}"
            leaves = [(node.type, printer.name(self.terms[self.node_of[node]])) for node in trigger.arguments]
            lines += [
                f"if ({printer.name(self.terms[self.node_of[trigger.guard]])}) {{",
                f"  revet_assert({count_variable(name)} > {at});",
                f"  revet_assert({order_variable(name)}[{at}] == revet_due);",
                *(
                    f"  {_assert_same(f'{leaf_variable(name, n)}[{at}]', value, type_)}"
                    for n, (type_, value) in enumerate(leaves)
                ),
                f"  {at}++; revet_due++;", "}",
            ]
        lines += [f"revet_assert({count_variable(name)} == revet_due_{name});" for name in calls]
        return [*lines, f"revet_assert({ALL_CALLS} == revet_due);"]

    def _next_state(self, printer: CTerms) -> list[str]:
        lines = []
        updates, _ = self.terms.memory()
        for delay, buffer in self.program.buffers.items():
            if is_ring(delay):
                lines.append(f"revet_assert({buffer}_at < {len(delay.buffer)});")
            for n, variable in enumerate(self.terms.cells[delay]):
                wanted = printer.name(updates[variable])
                lines.append(_assert_same(cell(buffer, delay, n), wanted, delay.type))
        return lines


def any_value(type_: Scalar) -> str:
    names = {8: "char", 16: "short", 32: "int", 64: "longlong"}
    if type_.kind == "bool":
        return "revet_any_bool()"
    if type_.kind == "float":
        return f"revet_any_{c_type(type_)}()"
    sign = ("s" if type_.width == 8 else "") if type_.signed else "u"
    return f"revet_any_{sign}{names[type_.width]}()"


def _bits(name: str, type_: Scalar) -> str:
    """A C value as the logic sees it: an integer is its bit pattern."""
    return f"({c_sort(type_.sort)}){name}" if type_.kind == "int" and type_.signed else name


def _assert_same(found: str, wanted: str, type_: Scalar) -> str:
    if type_.kind == "float":
        return f"revet_assert(revet_same_{type_.width}({found}, {wanted}));"
    return f"revet_assert({_bits(found, type_)} == {wanted});"


# Macros: what is written on one line is one term to the solver, which then need not look into the floats.
_SAME = [
    f"#define revet_same_{width}(x, y) "
    "(((x) == (y) && !signbit(x) == !signbit(y)) || ((x) != (x) && (y) != (y)))"
    for width in (32, 64)
]


def _reference(name: str, number: int) -> str:
    return f"revet_{name}_{number}"


def _function(name: str, count: int, calls: list[int]) -> list[str]:
    """Any function. The transition system applies it first, ``count`` times, and gets any values. The C code
    is made to call ``revet_c_NAME``: its calls, one after the other, stand for the applications of these
    numbers, must have their arguments and get their values."""
    parameters = ("x", "y") if name in _BINARY else ("x",)
    taken, given = ", ".join(f"double {x}" for x in parameters), ", ".join(parameters)
    lines = [f"static unsigned revet_{name}_calls = 0;"]
    for number in range(count):
        own = _reference(name, number)
        noted = " ".join(f"{own}_{x} = {x};" for x in parameters)
        lines.append(f"static double {own}_v, {', '.join(f'{own}_{x}' for x in parameters)};")
        body = f"{noted} {own}_v = revet_any_double(); return {own}_v;"
        lines.append(f"static double {own}({taken}) {{ {body} }}")
    lines += [f"static double revet_c_{name}({taken}) {{", f"  const unsigned call = revet_{name}_calls++;"]
    for call, number in enumerate(calls):
        own = _reference(name, number)
        same = " && ".join(f"revet_same_64({own}_{x}, {x})" for x in parameters)
        lines.append(f"  if (call == {call}) {{ revet_assert({same}); return {own}_v; }}")
    lines += ["  revet_assert(false);", "  return 0;", "}"]
    return [*lines, f"#define {name}({given}) revet_c_{name}({given})"]
