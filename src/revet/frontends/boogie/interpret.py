"""An interpreter of Boogie: it executes the checked syntax tree, not the automaton.

Whatever the program leaves open it asks of :class:`Choices`: what constants, functions and globals are,
where the run starts, what is drawn, which way to go. It shares nothing with the lowering but the tree and
the sorts of types, so a mistake in the lowering shows as a run that does not violate what the trace
says. Integers are unbounded, reals are fractions.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from revet.errors import Position
from revet.frontends.boogie import syntax as s
from revet.frontends.boogie.call_graph import entries, only_implementation
from revet.frontends.boogie.interpret_code import Instruction, code_of
from revet.frontends.boogie.interpret_fast import FastBody
from revet.frontends.boogie.interpret_values import (
    UNDECIDED,
    Environment,
    Evaluator,
    Huge,
    Key,
    Overapproximated,
    stored,
)
from revet.frontends.kit.deep import at_any_depth

Failure = tuple[object, ...]
Codes = dict[tuple[s.Implementation, bool], tuple[list[Instruction], FastBody | None]]
_SPRINT = 100_000  # blocks that are executed between two looks at the clock
_DEEPEST = 20_000  # calls inside calls
_WITNESSES = 8  # values that are remembered for a bound variable


class Choices(Protocol):
    """What a run depends on; :class:`revet.frontends.boogie.replay.Recorded` has them from a trace."""

    def initial(self, variable: s.Variable) -> Any:
        """A constant, or what a global holds at first."""

    def unknown(self, key: Key, at: s.Expr) -> Any:
        """The map that stands for a function without a body, or for an operator's division by zero."""

    def entry(self, among: Sequence[s.Procedure]) -> s.Procedure: ...

    def value(self, variable: s.Variable) -> Any: ...

    def way(self, statement: s.Statement, count: int) -> int: ...

    def witnesses(self) -> list[tuple[s.Quantifier, tuple[Any, ...]]]:
        """Values for the bound variables of quantifiers that are evaluated next."""

    def amend(self, read: Mapping[s.Variable, Any]) -> Mapping[s.Variable, Any] | None:
        """An assumption about these values does not hold: other ones for some of what was drawn, to
        try again, or None to leave it at that."""


class Recorder(Protocol):
    """Is told what happens; reads and changes belong to the statement that was told last."""

    def start(self, shared: Mapping[s.Variable, Any]) -> None: ...

    def read(self, variable: s.Variable, value: Any) -> None: ...

    def statement(self, frame: Frame, at: Position) -> None: ...

    def enter(self, frame: Frame) -> None: ...

    def change(self, frame: Frame, variable: s.Variable, value: Any) -> None: ...


class Stopped(Exception):
    """The run cannot go on, or ends."""

    def __init__(self, kind: str, message: str, at: Position, failure: Failure = ()) -> None:
        super().__init__(message)
        self.outcome = Outcome(kind, message, at, failure)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended: ``violated``, ``blocked`` by an assumption, ``ended``, ``undecided`` (a
    quantifier that was assumed, an overapproximation), or the ``limit`` was reached."""

    kind: str
    message: str
    at: Position
    failure: Failure = ()
    steps: int = 0


@dataclass(eq=False, slots=True)
class Frame:
    """An activation. ``call`` is the statement that made it; none for the entry."""

    procedure: s.Procedure
    implementation: s.Implementation
    code: list[Instruction]
    values: dict[s.Variable, Any]
    old: dict[s.Variable, Any]
    call: s.Call | None
    depth: int
    fast: FastBody | None
    counter: int = 0


@dataclass
class Machine:
    checked: s.Checked
    choices: Choices
    limit: int
    recorder: Recorder | None = None
    seconds: float = 60.0
    fast: bool = False
    """Loops as compiled Python: for runs of very many steps."""
    codes: Codes = field(default_factory=dict)
    """What bodies are compiled to; several machines for one program may share it."""
    shared: dict[s.Variable, Any] = field(default_factory=dict, init=False)
    frames: list[Frame] = field(default_factory=list, init=False)
    steps: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self.program = self.checked.program
        self.evaluate = Evaluator(self.program, self.choices.unknown)
        self._witnesses: dict[s.Quantifier, deque[tuple[Any, ...]]] = {}
        self.evaluate.witnesses = self._witnesses
        if self.recorder is not None:
            self.evaluate.on_read = self.recorder.read

    @at_any_depth
    def run(self) -> Outcome:
        """Until something asserted fails, or the run can go no further."""
        try:
            self._start()
            self._go_on()
        except Stopped as end:
            found = end.outcome
            return Outcome(found.kind, found.message, found.at, found.failure, self.steps)
        except Huge as number:
            return Outcome("limit", "a number grows beyond all bounds", number.at, (), self.steps)
        except Overapproximated as use:
            return Outcome("undecided", str(use), use.at, (), self.steps)
        raise AssertionError("a run ends by Stopped")

    # ---- the start --------------------------------------------------------------------------

    def _start(self) -> None:
        variables = (*self.checked.constants.values(), *self.checked.globals.values())
        self.shared |= {variable: self.choices.initial(variable) for variable in variables}
        nowhere = Environment(self.shared, {})
        for axiom in self.checked.axioms:
            self._assume(axiom.formula, nowhere, axiom.position, "an axiom")
        self._require_unique()
        self._where(variables, nowhere)
        if self.recorder is not None:
            self.recorder.start(self.shared)
        procedure = self.choices.entry(entries(self.checked))
        values = {variable: self.choices.value(variable) for variable in procedure.inputs}
        self._enter(procedure, values, None)

    def _require_unique(self) -> None:
        seen: dict[s.Type, list[Any]] = {}
        for constant in self.checked.constants.values():
            if constant.unique:
                others = seen.setdefault(constant.type, [])
                if self.shared[constant] in others:
                    message = f"{constant.name} is not unique"
                    raise Stopped("blocked", message, constant.position)
                others.append(self.shared[constant])

    # ---- conditions -------------------------------------------------------------------------

    def _holds(self, formula: s.Expr, environment: Environment) -> Any:
        for quantifier, values in self.choices.witnesses():
            self._witnesses.setdefault(quantifier, deque(maxlen=_WITNESSES)).append(values)
        return self.evaluate(formula, environment)

    def _assume(self, formula: s.Expr, environment: Environment, at: Position, what: str) -> None:
        value = self._holds(formula, environment)
        while value is False and self._amended(formula, environment):
            value = self._holds(formula, environment)
        if value is UNDECIDED:
            raise Stopped("undecided", f"{what} has a quantifier that the run does not decide", at)
        if not value:
            raise Stopped("blocked", f"{what} does not hold", at)

    def _amended(self, formula: s.Expr, environment: Environment) -> bool:
        names = (node.variable for node in s.preorder(formula) if isinstance(node, s.Name))
        known = (environment.local, environment.shared)
        read = {x: values[x] for x in names for values in known if x in values}
        changes = self.choices.amend(read)
        for variable, value in (changes or {}).items():
            (self.shared if variable in self.shared else environment.local)[variable] = value
        return changes is not None

    def _require(
        self, formula: s.Expr, environment: Environment, at: Position, what: str, failure: Failure
    ) -> None:
        """An assertion that is not decided is passed: if it fails, the program is unsafe as well."""
        if self._holds(formula, environment) is False:
            raise Stopped("violated", f"{what} does not hold", at, failure)

    def _where(self, variables: Sequence[s.Variable], environment: Environment) -> None:
        for variable in variables:
            if variable.where is not None:
                at = variable.where.position
                self._assume(variable.where, environment, at, f"the where clause of {variable.name}")

    # ---- activations ------------------------------------------------------------------------

    def _enter(self, procedure: s.Procedure, inputs: dict[s.Variable, Any], call: s.Call | None) -> None:
        implementation = only_implementation(procedure, self.program)
        environment = Environment(self.shared, inputs)
        self._check_inputs(procedure, environment, call)
        names = zip(procedure.inputs, implementation.inputs, strict=True)
        values = {**inputs, **{own: inputs[contract] for contract, own in names}}
        code, fast = self._code(implementation)
        old = {x: self.shared[x] for x in self.checked.globals.values()}
        if len(self.frames) == _DEEPEST:
            raise Stopped("limit", "calls are nested too deep", procedure.position)
        frame = Frame(procedure, implementation, code, values, old, call, len(self.frames), fast)
        self.frames.append(frame)
        if self.recorder is not None:
            self.recorder.enter(frame)
        outputs = zip(procedure.outputs, implementation.outputs, strict=True)
        for contract, own in outputs:
            values[own] = values[contract] = self.choices.value(own)
        for local in implementation.body.locals:
            values[local] = self.choices.value(local)
        declared = (*procedure.outputs, *implementation.outputs, *implementation.body.locals)
        self._where(list(dict.fromkeys(declared)), self._environment(frame))

    def _code(self, implementation: s.Implementation) -> tuple[list[Instruction], FastBody | None]:
        found = self.codes.get((implementation, self.fast))
        if found is None:
            code = code_of(implementation.body)
            found = (code, FastBody(code) if self.fast else None)
            self.codes[implementation, self.fast] = found
        return found

    def _check_inputs(self, procedure: s.Procedure, environment: Environment, call: s.Call | None) -> None:
        self._where(procedure.inputs, environment)
        for clause in procedure.requires:
            if call is None or call.free or clause.free:
                self._assume(clause.formula, environment, clause.position, f"a requires of {procedure.name}")
            else:
                what = f"the requires of {procedure.name} in line {clause.position.line}"
                self._require(clause.formula, environment, call.position, what, (call, clause))

    def _environment(self, frame: Frame) -> Environment:
        return Environment(self.shared, frame.values, frame.old)

    def _leave(self) -> None:
        frame = self.frames[-1]
        for contract, own in zip(frame.procedure.outputs, frame.implementation.outputs, strict=True):
            frame.values[contract] = frame.values[own]
        environment = self._environment(frame)
        for clause in frame.procedure.ensures:
            what = f"the ensures of {frame.procedure.name} in line {clause.position.line}"
            if clause.free:
                self._assume(clause.formula, environment, clause.position, what)
            else:
                self._require(clause.formula, environment, clause.position, what, (clause,))
        self.frames.pop()
        if frame.call is None:
            raise Stopped("ended", "the run ends", frame.implementation.body.end)
        results = [frame.values[output] for output in frame.procedure.outputs]
        for name, value in zip(frame.call.results, results, strict=True):
            self._set(self.frames[-1], name.variable, value)

    def _set(self, frame: Frame, variable: s.Variable, value: Any) -> None:
        where = self.shared if variable.kind == "global" else frame.values
        where[variable] = value
        if self.recorder is not None:
            self.recorder.change(frame, variable, value)

    # ---- statements -------------------------------------------------------------------------

    def _go_on(self) -> None:
        deadline = time.monotonic() + self.seconds
        while True:
            frame = self.frames[-1]
            if frame.fast is not None and frame.counter in frame.fast.entries:
                fuel = min(_SPRINT, self.limit - self.steps)
                frame.counter, left = frame.fast.run(self.shared, frame.values, frame.counter, fuel)
                self.steps += fuel - left
                if left == 0 and time.monotonic() < deadline and self.steps < self.limit:
                    continue
            instruction = frame.code[frame.counter]
            self.steps += 1
            if self.steps >= self.limit or (self.steps % 256 == 0 and time.monotonic() > deadline):
                raise Stopped("limit", "the run goes on", frame.implementation.position)
            frame.counter += 1
            statement = instruction.statement
            if self.recorder is not None and statement is not None:
                clause = instruction.clause
                self.recorder.statement(frame, clause.position if clause is not None else statement.position)
            self._instruction(frame, instruction)

    def _instruction(self, frame: Frame, instruction: Instruction) -> None:
        statement = instruction.statement
        match instruction.kind:
            case "return":
                self._leave()
            case "jump":
                frame.counter = instruction.targets[0]
            case "goto":
                assert statement is not None
                frame.counter = instruction.targets[self.choices.way(statement, len(instruction.targets))]
            case "branch":
                assert isinstance(statement, s.If | s.While)
                frame.counter = instruction.targets[self._way(frame, statement)]
            case "invariant":
                assert instruction.clause is not None
                self._invariant(frame, instruction.clause)
            case _:
                assert statement is not None
                self._simple(frame, statement)

    def _way(self, frame: Frame, statement: s.If | s.While) -> int:
        if statement.condition is None:
            return self.choices.way(statement, 2)
        value = self._holds(statement.condition, self._environment(frame))
        if value is UNDECIDED:
            message = "the condition has a quantifier that the run does not decide"
            raise Stopped("undecided", message, statement.position)
        return 0 if value else 1

    def _invariant(self, frame: Frame, clause: s.Clause) -> None:
        environment = self._environment(frame)
        if clause.free:
            self._assume(clause.formula, environment, clause.position, "the free invariant")
        else:
            self._require(clause.formula, environment, clause.position, "the loop invariant", (clause,))

    def _simple(self, frame: Frame, statement: s.Statement) -> None:
        environment, at = self._environment(frame), statement.position
        match statement:
            case s.Assert(formula=formula):
                self._require(formula, environment, at, "the assertion", (statement,))
            case s.Assume(formula=formula):
                self._assume(formula, environment, at, "the assumption")
            case s.Havoc(variables=names):
                for name in names:
                    self._set(frame, name.variable, self.choices.value(name.variable))
                self._where([name.variable for name in names], self._environment(frame))
            case s.Assign():
                self._assign(frame, statement)
            case s.Call():
                self._call(frame, statement)
            case _:
                raise self.program.unsupported("the interpreter does not know this statement", at)

    def _assign(self, frame: Frame, statement: s.Assign) -> None:
        environment = self._environment(frame)
        new: list[tuple[s.Variable, Any]] = []
        for target, expr in zip(statement.targets, statement.values, strict=True):
            variable = target.variable.variable
            indices = [self.evaluate(index, environment) for group in target.indices for index in group]
            value = self.evaluate(expr, environment)
            new.append((variable, stored(environment[variable], indices, value) if indices else value))
        for variable, value in new:
            self._set(frame, variable, value)

    def _call(self, frame: Frame, statement: s.Call) -> None:
        callee, environment = statement.callee, self._environment(frame)
        inputs: dict[s.Variable, Any] = {}
        for parameter, argument in zip(callee.inputs, statement.arguments, strict=True):
            if argument is None:
                inputs[parameter] = self.choices.value(parameter)
            else:
                inputs[parameter] = self.evaluate(argument, environment)
        if callee.implementations:
            self._enter(callee, inputs, statement)
            return
        self._check_inputs(callee, Environment(self.shared, inputs), statement)
        old = {x: self.shared[x] for x in self.checked.globals.values()}
        modified = list(dict.fromkeys(name.variable for name in callee.modifies))
        for variable in modified:
            self._set(frame, variable, self.choices.value(variable))
        results = {output: self.choices.value(output) for output in callee.outputs}
        after = Environment(self.shared, {**inputs, **results}, old)
        self._where([*modified, *callee.outputs], after)
        for clause in callee.ensures:
            self._assume(clause.formula, after, clause.position, f"an ensures of {callee.name}")
        for name, value in zip(statement.results, results.values(), strict=True):
            self._set(frame, name.variable, value)
