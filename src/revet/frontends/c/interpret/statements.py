"""Functions and their statements as code for the stack machine.

Pieces as in :mod:`expressions`. Statements know where ``break`` and ``continue`` go
(:class:`Context`); labels and cases are targets found before the body is laid out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from revet.errors import Position, Unsupported
from revet.frontends.c import ast
from revet.frontends.c.analysis.calling import passed_types
from revet.frontends.c.extents import extents_of
from revet.frontends.c.interpret import operators, places
from revet.frontends.c.interpret.access import step_into
from revet.frontends.c.interpret.effects import unless
from revet.frontends.c.interpret.expressions import expand, initialise
from revet.frontends.c.interpret.library import call_function, call_pointer, start_arguments
from revet.frontends.c.interpret.lifetimes import Lifetimes, end, is_list
from revet.frontends.c.interpret.machine import Code, Instruction, Machine
from revet.frontends.c.interpret.ordering import Ordering
from revet.frontends.c.interpret.pieces import (
    Effect,
    Later,
    Leave,
    Piece,
    Target,
    Value,
    jump,
    jump_unless_zero,
)
from revet.frontends.c.libc import FILE as LIBRARY_FILE
from revet.frontends.c.reader import argument_lists
from revet.frontends.c.types import Array, Void, size_of
from revet.frontends.c.walk import cases_of

if TYPE_CHECKING:
    from revet.frontends.c.sequencing import Unit


@dataclass(frozen=True, slots=True)
class Context:
    """Where to go on ``break`` and ``continue``."""

    leave: Target | None = None
    again: Target | None = None


_OUTERMOST = Context()


class FunctionCompiler:
    """Compiles one function; a :class:`pieces.Scope` for the expressions in it."""

    def __init__(
        self, program: ast.CProgram, units: Mapping[ast.Expr, Unit], aligned: bool = False
    ) -> None:
        self.pointer_bits = 8 * program.data_model.pointer_size
        self.aligned = aligned
        self.ordering = Ordering(units)
        self._slots: dict[ast.Variable, int] = {}
        self._labels: dict[str, Target] = {}
        self._cases: dict[ast.Case, Target] = {}
        self._lifetimes: Lifetimes | None = None
        self._begun: dict[ast.Stmt, list[ast.Variable]] = {}

    # ---- functions ------------------------------------------------------------------------

    def compile(self, function: ast.FunctionDef) -> Code:
        for parameter in function.parameters:
            self._slot(parameter)
        self._lifetimes = Lifetimes(function.body)
        self._begun = extents_of(function).begun
        pieces = [*self.statement(function.body), *self._fall_off(function)]
        code = expand(pieces, self)
        count = len(function.parameters)
        of_library = function.position.file == LIBRARY_FILE
        return Code(function.name, code, list(self._slots), count, function.type.result, of_library)

    def _fall_off(self, function: ast.FunctionDef) -> list[Piece]:
        """Reaching the end without ``return``: main returns 0, others an unknown value."""
        if isinstance(function.type.result, Void) or function.name == "main":
            return [operators.push(0), _RETURN]
        return [_missing_result(function), _RETURN]

    def startup(self, program: ast.CProgram, entry: ast.FunctionDef) -> Code:
        """Initialise what lives for ever, then call the entry: a driver, which has no parameters, or a
        ``main`` that does not look at its own."""
        pieces: list[Piece] = []
        for variable in program.globals:
            pieces += [_make_static(variable)]
        for variable in program.globals:
            pieces += initialise(variable, places.static(variable), self)
        pieces.append(_seal([variable for variable in program.globals if variable.is_fixed]))
        arguments: list[Piece] = [operators.push(0) for _ in entry.parameters]
        types = tuple(parameter.type for parameter in entry.parameters)
        call = call_function(entry.name, types, entry.type.result, entry.position)
        return Code("", expand([*pieces, *arguments, call, _RETURN], self), list(self._slots), 0, Void())

    # ---- what expressions ask for ---------------------------------------------------------

    def find(self, variable: ast.Variable) -> places.Find:
        if variable.lives_forever:
            return places.static(variable)
        return places.local(self._slot(variable))

    def local_slot(self, variable: ast.Variable) -> int | None:
        return None if variable.lives_forever else self._slot(variable)

    def _slot(self, variable: ast.Variable) -> int:
        return self._slots.setdefault(variable, len(self._slots))

    def declaration(self, variable: ast.Variable) -> list[Piece]:
        """A local variable comes into being."""
        if variable.lives_forever or variable.external:
            return []
        slot = self._slot(variable)
        if isinstance(variable.type, Array) and variable.type.count is None:
            if variable.length is None:
                raise Unsupported("an array whose length is not known", variable.position)
            element = size_of(variable.type.element)
            return [Value(variable.length), places.declare_array(slot, element, variable.position)]
        written = variable.initialiser is not None
        return [
            places.declare(slot, written=written), *initialise(variable, places.local(slot), self)
        ]

    def _begins(self, statement: ast.Stmt) -> list[Piece]:
        """Variables whose declarations may be passed by begin to live, with any value."""
        return [places.declare(self._slot(one), written=False) for one in self._begun.get(statement, ())]

    def ends(self, *parts: ast.Stmt | None) -> list[Piece]:
        """The variables that are declared in these statements are no more."""
        found = () if self._lifetimes is None else self._lifetimes.inside(*parts)
        return [end(tuple(self._slot(variable) for variable in found))] if found else []

    def call(self, call: ast.Call) -> list[Piece]:
        arguments: list[Piece] = [Value(argument) for argument in call.arguments]
        types = tuple(argument.type for argument in call.arguments)
        if isinstance(call.function, ast.FunctionRef):
            name = call.function.name
            if name == argument_lists.START:
                return [start_arguments]
            return [*arguments, call_function(name, types, call.type, call.at, passed_types(call))]
        return [Value(call.function), *arguments, call_pointer(types, call.type, call.at)]

    def statement(self, statement: ast.Stmt, context: Context = _OUTERMOST) -> list[Piece]:
        return [Later(lambda: _STATEMENTS[type(statement)](self, statement, context))]

    # ---- statements -----------------------------------------------------------------------

    def _block(self, s: ast.Block, context: Context) -> list[Piece]:
        pieces = self._begins(s)
        for inner in s.body:
            pieces += self.statement(inner, context)
        return pieces if is_list(s) else [*pieces, *self.ends(s)]

    def _declare(self, s: ast.Declare, context: Context) -> list[Piece]:
        return [_at(s.span), *self.declaration(s.variable)]

    def _evaluate(self, s: ast.Evaluate, context: Context) -> list[Piece]:
        return [_at(s.span), Effect(s.expression)]

    def _if(self, s: ast.If, context: Context) -> list[Piece]:
        otherwise, after = Target(), Target()
        then: list[Piece] = [
            _at(s.span), *unless(s.condition, otherwise, self), *self.statement(s.then, context)
        ]
        ends = self.ends(s.then, s.otherwise)
        if s.otherwise is None:
            return [*then, otherwise, *ends]
        return [*then, jump(after), otherwise, *self.statement(s.otherwise, context), after, *ends]

    def _while(self, s: ast.While, context: Context) -> list[Piece]:
        again, leave = Target(), Target()
        inner, ends = Context(leave, again), self.ends(s.body)
        return [
            again, *ends, _at(s.span), *unless(s.condition, leave, self),
            *self.statement(s.body, inner), jump(again), leave, *ends,
        ]

    def _do(self, s: ast.DoWhile, context: Context) -> list[Piece]:
        start, again, leave = Target(), Target(), Target()
        inner, ends = Context(leave, again), self.ends(s.body)
        return [
            start, *self.statement(s.body, inner), again, *ends, _at(s.span), Value(s.condition),
            jump_unless_zero(start), leave, *ends,
        ]

    def _for(self, s: ast.For, context: Context) -> list[Piece]:
        start, again, leave = Target(), Target(), Target()
        inner = Context(leave, again)
        pieces: list[Piece] = [] if s.start is None else self.statement(s.start, context)
        pieces += [start, _at(s.span)]
        if s.condition is not None:
            pieces += unless(s.condition, leave, self)
        pieces += [*self.statement(s.body, inner), again, *self.ends(s.body)]
        if s.step is not None:
            pieces += [_at(s.span), Effect(s.step)]
        return [*pieces, jump(start), leave, *self.ends(s)]

    def _switch(self, s: ast.Switch, context: Context) -> list[Piece]:
        leave = Target()
        single: dict[int, Target] = {}
        ranges: list[tuple[int, int, Target]] = []
        default = leave
        for case in cases_of(s):
            target = self._cases[case] = Target()
            if case.low is None:
                default = target
            elif case.high is None or case.high == case.low:
                single.setdefault(case.low, target)
            else:
                ranges.append((case.low, case.high, target))
        body = self.statement(s.body, replace(context, leave=leave))
        chosen = [Value(s.value), *self._begins(s), _choose(single, ranges, default)]
        return [_at(s.span), *chosen, *body, leave, *self.ends(s)]

    def _case(self, s: ast.Case, context: Context) -> list[Piece]:
        return [self._cases[s], *self.statement(s.body, context)]

    def _label(self, s: ast.Label, context: Context) -> list[Piece]:
        gone = () if self._lifetimes is None else self._lifetimes.elsewhere(s)
        ends: list[Piece] = [end(tuple(self._slot(variable) for variable in gone))] if gone else []
        return [self._labels.setdefault(s.name, Target()), *ends, *self.statement(s.body, context)]

    def _goto(self, s: ast.Goto, context: Context) -> list[Piece]:
        return [_at(s.span), *self._begins(s), jump(self._labels.setdefault(s.label, Target()))]

    def _break(self, s: ast.Break, context: Context) -> list[Piece]:
        if context.leave is None:
            raise Unsupported("break out of a statement expression", s.span.start)
        return [_at(s.span), jump(context.leave)]

    def _continue(self, s: ast.Continue, context: Context) -> list[Piece]:
        if context.again is None:
            raise Unsupported("continue out of a statement expression", s.span.start)
        return [_at(s.span), jump(context.again)]

    def _return_statement(self, s: ast.Return, context: Context) -> list[Piece]:
        value: list[Piece] = [operators.push(0)] if s.value is None else [Value(s.value)]
        return [_at(s.span), *value, _RETURN]

    def _empty(self, s: ast.Empty, context: Context) -> list[Piece]:
        return []

    def _asm(self, s: ast.Asm, context: Context) -> list[Piece]:
        if not s.memory:
            return []
        return [lambda m: m.unspecified("inline assembly leaves any values in memory", s.span.start)]


def _choose(single: dict[int, Target], ranges: list[tuple[int, int, Target]], default: Target) -> Piece:
    def run(m: Machine) -> None:
        value = m.stack.pop()
        target = single.get(value)
        if target is None:
            target = next((t for low, high, t in ranges if low <= value <= high), default)
        m.pc = target.address

    return Leave(run)


def _at(span: ast.Span) -> Instruction:
    """The run has come to this statement."""

    def run(m: Machine) -> None:
        m.at = span
        if m.recorder is not None:
            m.recorder.statement(m, span)

    return run


_RETURN = Leave(Machine.pop_frame)


def _missing_result(function: ast.FunctionDef) -> Instruction:
    at: Position = function.body.span.end

    def run(m: Machine) -> None:
        m.undefined("uninitialised", f"{function.name} ends without returning a value", at)
        m.stack.append(0)

    return run


def _whole_size(variable: ast.Variable) -> int:
    """With the elements that the initialiser gives to a flexible array member."""
    size = size_of(variable.type)
    for entry in variable.initialiser.entries if variable.initialiser is not None else ():
        offset, type, _ = step_into(variable.type, entry.path)
        size = max(size, offset + size_of(type))
    return size


def _make_static(variable: ast.Variable) -> Instruction:
    outside = variable.external and variable.initialiser is None
    size = _whole_size(variable)

    def run(m: Machine) -> None:
        target = m.memory.allocate(variable.name, size, "variable", variable.type, written=not outside)
        target.alignment = variable.alignment
        if outside:  # defined elsewhere: it holds any value
            m.holds(target, m.draws.uninitialised(variable, size))
        m.statics[variable] = target

    return run


def _seal(variables: Sequence[ast.Variable]) -> Instruction:
    """From here on nobody may write these."""

    def run(m: Machine) -> None:
        for variable in variables:
            m.statics[variable].constant = True

    return run


_STATEMENTS: dict[type, Callable[[FunctionCompiler, Any, Context], list[Piece]]] = {
    ast.Block: FunctionCompiler._block, ast.Declare: FunctionCompiler._declare,
    ast.Evaluate: FunctionCompiler._evaluate, ast.If: FunctionCompiler._if,
    ast.While: FunctionCompiler._while, ast.DoWhile: FunctionCompiler._do,
    ast.For: FunctionCompiler._for, ast.Switch: FunctionCompiler._switch,
    ast.Case: FunctionCompiler._case, ast.Label: FunctionCompiler._label,
    ast.Goto: FunctionCompiler._goto, ast.Break: FunctionCompiler._break,
    ast.Continue: FunctionCompiler._continue, ast.Return: FunctionCompiler._return_statement,
    ast.Empty: FunctionCompiler._empty, ast.Asm: FunctionCompiler._asm,
}
