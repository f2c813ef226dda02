"""What the parts of lowering share: options, tables, the automaton so far, the call stack."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from revet.errors import Position, Unsupported
from revet.frontends.c import ast
from revet.frontends.c.lower.arithmetic import Arithmetic
from revet.frontends.c.lower.flow import Flow
from revet.frontends.c.lower.symbols import Symbols
from revet.frontends.c.options import Options
from revet.frontends.c.types import CType, Floating, Int, Pointer
from revet.frontends.c.walk import Effects
from revet.logic import build as b
from revet.logic.terms import TRUE, Term
from revet.model.cfa import Location

if TYPE_CHECKING:
    from revet.frontends.c.analysis.storage import Storage
    from revet.frontends.c.lower.calls import Calls
    from revet.frontends.c.lower.expressions import Expressions
    from revet.frontends.c.lower.heap import Heap
    from revet.frontends.c.lower.memory import Memory
    from revet.frontends.c.lower.places import Place, Places
    from revet.frontends.c.lower.statements import Statements


@dataclass
class Frame:
    """One activation of a function while it is being inlined."""

    function: ast.FunctionDef
    depth: int  # how many activations of the same function are below this one
    exit: Location
    result: Place | None
    labels: dict[str, Location] = field(default_factory=dict)
    passed: dict[str, Position] = field(default_factory=dict)  # labels that were lowered already
    breaks: list[Location] = field(default_factory=list)
    continues: list[Location] = field(default_factory=list)


class Context:
    """The state of one lowering run."""

    expressions: Expressions
    places: Places
    statements: Statements
    calls: Calls
    memory: Memory
    heap: Heap

    def __init__(
        self, program: ast.CProgram, options: Options, arithmetic: Arithmetic, storage: Storage
    ) -> None:
        self.program = program
        self.options = options
        self.model = program.data_model
        self.arithmetic = arithmetic
        self.storage = storage
        self.flow = Flow()
        self.symbols = Symbols(arithmetic, program.data_model)
        self.effects = Effects()
        self.frames: list[Frame] = []
        self.assumptions: dict[str, None] = {}
        self.approximated: dict[str, None] = {}
        self.errors: dict[str, Location] = {}
        self.open_ends: dict[str, Location] = {}
        self.precise = True
        self._guards: list[Term] = []

    # ---- the call stack ---------------------------------------------------------------------

    @property
    def frame(self) -> Frame:
        return self.frames[-1]

    @property
    def function(self) -> str:
        return self.frames[-1].function.name if self.frames else ""

    def depth_of(self, variable: ast.Variable) -> int:
        """Which activation of its function a variable belongs to here: the innermost."""
        if variable.lives_forever or not self.frames:
            return 0
        if variable.function == self.frame.function.name:
            return self.frame.depth
        return next(
            (frame.depth for frame in reversed(self.frames) if frame.function.name == variable.function), 0
        )

    def temporary(self, owner: object, stem: str, type: CType) -> Term:
        depth = self.frame.depth if self.frames else 0
        return self.symbols.temporary(owner, depth, self.function, stem, type)

    # ---- facts ------------------------------------------------------------------------------

    @contextmanager
    def under(self, condition: Term) -> Iterator[None]:
        """Facts required inside hold only where ``condition`` does (``&&``, ``?:`` without jumps)."""
        self._guards.append(condition)
        try:
            yield
        finally:
            self._guards.pop()

    def require(self, fact: Term, what: str) -> None:
        """Without ``fact`` the behaviour is undefined: runs end here, or, if overflow is what
        is being checked, reach an error."""
        fact = b.implies(b.conjunction(self._guards), fact)
        if fact is TRUE:
            return
        if what.startswith("signed overflow"):
            if self.options.property == "no-overflow":
                self.fail_unless(fact, "overflow")
                return
            self.assumptions.setdefault("signed integer arithmetic does not overflow")
        elif what.startswith("shift"):
            self.assumptions.setdefault("shift amounts are smaller than the width of the shifted type")
        self.flow.assume(fact)

    def assume_range(self, type: CType, term: Term) -> None:
        """A value from outside (or from memory never written) is still one of its type."""
        if not isinstance(type, Floating):
            fact = self.arithmetic.in_range(self.symbols.integer_type(type), term)
            self.flow.assume(b.implies(b.conjunction(self._guards), fact))

    def fail_unless(self, fact: Term, kind: str, at: Position | None = None) -> None:
        """An edge to an error location where ``fact`` does not hold; go on where it does."""
        going_on = self.flow.split(self.function)
        self.flow.branch(fact, going_on, self.error(kind, at))
        self.flow.resume(going_on)

    def error(self, kind: str, at: Position | None = None) -> Location:
        """The error location of an assertion: one for each place in the source."""
        span = self.flow.span
        at = at or (span.start if span else None)
        name = f"{kind}@{at.file.rsplit('/', 1)[-1]}:{at.line}" if at else kind
        found = self.errors.get(name)
        if found is None:
            found = Location(name, at)
            self.errors[name] = found
        return found

    def open_end(self, name: str, at: Position | None) -> Location:
        """A place where the model ends though the program goes on: nobody may say safe if it is
        reachable."""
        found = self.open_ends.get(name)
        if found is None:
            found = Location(name, at)
            self.open_ends[name] = found
        return found

    def unsupported(self, at: Position, message: str) -> Unsupported:
        return Unsupported(message, at)

    def any_value(self, owner: object, type: CType, at: Position, problem: Exception) -> Term:
        """``--approximate``: the value of something that is not modelled. Raises ``problem`` where
        any value would not do: without the option; where overflow is what is checked, which may
        happen inside; and for types whose values the model does not have."""
        known = isinstance(type, Int | Pointer) or (isinstance(type, Floating) and type.bits in (32, 64))
        if not self.options.approximate or self.options.property == "no-overflow" or not known:
            raise problem
        message = problem.message if isinstance(problem, Unsupported) else f"{problem} needs --arithmetic bv"
        self.precise = False
        self.approximated.setdefault(f"any value at {at}: {message}")
        value = self.temporary((owner, "any"), "any", type)
        self.flow.havoc(value)
        self.assume_range(type, value)
        return value

    def assumption(self, text: str, at: Position | None = None) -> None:
        if self.options.strict:
            raise Unsupported(f"{text} (--strict)", at)
        self.assumptions.setdefault(text)
