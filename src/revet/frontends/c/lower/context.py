"""What the parts of lowering share: options, tables, the automaton so far, the call stack."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from revet.errors import Position, Unsupported
from revet.frontends.c import ast
from revet.frontends.c.checks import TRACKED, Check
from revet.frontends.c.entry.driver import DRIVER_FILE
from revet.frontends.c.libc import FILE as LIBRARY_FILE
from revet.frontends.c.library.conventions import QUESTIONS
from revet.frontends.c.library.rounding import changes_rounding
from revet.frontends.c.library.uses import mentions
from revet.frontends.c.lower.arithmetic import Arithmetic, Require
from revet.frontends.c.lower.flow import Flow
from revet.frontends.c.lower.symbols import Symbols
from revet.frontends.c.options import Options
from revet.frontends.c.types import CType, Floating, Int, Pointer
from revet.logic import build as b
from revet.logic.terms import TRUE, Term
from revet.model.cfa import Location

if TYPE_CHECKING:
    from revet.frontends.c.analysis.storage import Storage
    from revet.frontends.c.lower.calls import Calls
    from revet.frontends.c.lower.evaluation import Evaluation
    from revet.frontends.c.lower.expressions import Expressions
    from revet.frontends.c.lower.heap import Heap
    from revet.frontends.c.lower.jumps import Site
    from revet.frontends.c.lower.memory import Memory
    from revet.frontends.c.lower.numbers import Numbers
    from revet.frontends.c.lower.objects import Objects
    from revet.frontends.c.lower.places import Place, Places
    from revet.frontends.c.lower.statements import Statements
    from revet.frontends.c.lower.written import Written
    from revet.frontends.c.sequencing import Orders


@dataclass
class Frame:
    """One activation of a function while it is being inlined."""

    function: ast.FunctionDef
    depth: int  # how many activations of the same function are below this one
    exit: Location
    result: Place | None
    called_at: Position | None = None  # unknown where callers share one copy
    labels: dict[str, Location] = field(default_factory=dict)
    passed: dict[str, Position] = field(default_factory=dict)  # labels that were lowered already
    breaks: list[Location] = field(default_factory=list)
    continues: list[Location] = field(default_factory=list)
    constants: dict[ast.Variable, Term] = field(default_factory=dict)  # parameters that keep such a value
    # see argument_lists.py
    first_argument: int | None = None
    arguments: tuple[tuple[Term | Place, CType], ...] = ()
    sites: dict[ast.Call, Site] = field(default_factory=dict)  # see jumps.py
    # see evaluation.py
    evaluating: set[ast.Expr] = field(default_factory=set)
    known: dict[ast.Expr, Term | Place | None] = field(default_factory=dict)
    watched: dict[ast.Expr, Place] = field(default_factory=dict)


VALID = "memory accesses are valid (within an object, not null, not freed)"
DEFINED = "library functions get what they are defined for (valid memory, strings that end)"
NO_OVERFLOW = "signed integer arithmetic does not overflow"
NO_LEAKS = "memory that is not freed does not matter"
IN_BOUNDS = "array indices are within bounds"
# What is assumed where behaviour would be undefined and is not checked.
_ASSUMED = {
    Check.OVERFLOW: NO_OVERFLOW,
    Check.SHIFT: "shift amounts are smaller than the width of the shifted type",
    Check.SHIFT_VALUE: NO_OVERFLOW,
    Check.DIVISION: "no division by zero",
    Check.POINTER: VALID,
    Check.LIBRARY: DEFINED,
    Check.FREE: "free gets what was allocated, once",
    Check.LEAK: NO_LEAKS,
    Check.CLEANUP: NO_LEAKS,
}
_INSIDE = frozenset(Check) - {
    Check.ASSERTION, Check.UNINITIALISED, Check.ALIGNMENT, Check.FREE, Check.LEAK, Check.CLEANUP,
}
"""Undefined behaviour in a library function that comes from its arguments."""
REACHED = "calls through pointers reach functions of the pointer's type that these files mention"
UNREACHABLE = "what the program declares unreachable is not reached"
ALIGNED = "pointers are aligned as their types ask"
FITTING = "lists of arguments (va_list) fit the formats by which they are printed, without %n"
_PLACED = frozenset((*_ASSUMED.values(), IN_BOUNDS, REACHED, UNREACHABLE, FITTING))
_MOST_PLACES = 3  # that are named with an assumption


class Assumptions:
    """What an answer assumes, each with the statements it concerns."""

    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self._places: dict[str, dict[str, None]] = {}

    def setdefault(self, text: str) -> None:
        """Note it, for the current statement where it is about statements."""
        self.add(text, [self._flow.span.start] if text in _PLACED and self._flow.span is not None else [])

    def add(self, text: str, places: Iterable[Position]) -> None:
        given = list(places)
        places = [at for at in given if not at.file.startswith(DRIVER_FILE)]
        if given and not places:
            return  # a driver is right by construction
        known = self._places.setdefault(text, {})
        for at in (at for at in places if at.file != LIBRARY_FILE):
            known[f"{at.file.rsplit('/', 1)[-1]}:{at.line}"] = None

    def listed(self) -> tuple[str, ...]:
        """One sentence each, with the first places."""
        return tuple(_sentence(text, list(places)) for text, places in self._places.items())


def _sentence(text: str, places: list[str]) -> str:
    more = len(places) - _MOST_PLACES
    shown = ", ".join(places[:_MOST_PLACES]) + (f" and {more} more" if more > 0 else "")
    return f"{text} ({shown})" if places else text


class Context:
    """The state of one lowering run."""

    evaluation: Evaluation
    expressions: Expressions
    places: Places
    statements: Statements
    calls: Calls
    memory: Memory
    heap: Heap
    objects: Objects | None
    numbers: Numbers | None
    written: Written | None

    def __init__(
        self, program: ast.CProgram, options: Options, arithmetic: Arithmetic, storage: Storage,
        orders: Orders,
    ) -> None:
        self.program = program
        self.orders = orders
        self.options = options
        self.model = program.data_model
        self.arithmetic = arithmetic
        self.storage = storage
        self.flow = Flow()
        self.rounds = changes_rounding(program)
        self.tracks = (
            storage.shows_addresses or not options.checks.isdisjoint(TRACKED) or mentions(program, QUESTIONS)
        )
        unbounded = arithmetic.name == "int" and self.tracks
        self.symbols = Symbols(arithmetic, program.data_model, unbounded)
        self.effects = orders.has_effects
        self.frames: list[Frame] = []
        self.assumptions = Assumptions(self.flow)
        self.approximated: dict[str, None] = {}
        self.checks = options.checks
        self.errors: dict[str, Location] = {}
        self.broken: dict[Location, Check] = {}  # what reaching an error location means
        self.open_ends: dict[str, Location] = {}
        self.precise = True
        self._builtin: tuple[str, Position] | None = None
        self._guards: list[Term] = []
        self._checked: tuple[int, set[tuple[Term, Check]]] = (-1, set())

    @property
    def undefined_checked(self) -> bool:
        """Is anything checked but assertions?"""
        return bool(self.checks - {Check.ASSERTION})

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

    # ---- calls of the C library -------------------------------------------------------------

    @contextmanager
    def builtin(self, name: str, at: Position) -> Iterator[None]:
        """What is required inside, a library function needs that lowering knows itself."""
        outer, self._builtin = self._builtin, (name, at)
        try:
            yield
        finally:
            self._builtin = outer

    @property
    def library_call(self) -> tuple[str, Position] | None:
        """The library function that the program has called and that is being lowered, and where."""
        found = self._builtin
        for frame in reversed(self.frames):
            if frame.function.position.file != LIBRARY_FILE or frame.called_at is None:
                break
            found = (frame.function.name, frame.called_at)
        return found

    @property
    def looks_at_pointers(self) -> bool:
        """Is it checked that accesses through pointers are valid, here?"""
        if Check.POINTER in self.checks:
            return True
        return Check.LIBRARY in self.checks and self.library_call is not None

    def _asked(self, check: Check, at: Position | None) -> tuple[Check, Position | None]:
        """The check that breaks where an operation is undefined, and the place to name: a library function
        that fails was called wrongly."""
        called = self.library_call
        if called is None:
            return check, at
        return Check.LIBRARY if Check.LIBRARY in self.checks and check in _INSIDE else check, called[1]

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

    def require(self, fact: Term, check: Check, at: Position | None = None) -> None:
        """Without ``fact`` the behaviour is undefined: runs end here, or, if that is what is being
        checked, reach an error."""
        fact = b.implies(b.conjunction(self._guards), fact)
        if fact is TRUE:
            return
        asked, place = self._asked(check, at)
        if asked in self.checks:
            self._fail_unless(fact, asked, place)
            return
        self.assumptions.setdefault(_ASSUMED[check])
        self.flow.assume(fact)

    def require_if_checked(self, fact: Term, check: Check, at: Position) -> None:
        """The same where a run that is not checked goes on."""
        if check in self.checks:
            self.require(fact, check, at)

    def requires(self, at: Position) -> Require:
        """What an operation at a place in the source needs."""
        return lambda fact, check: self.require(fact, check, at)

    def assume(self, fact: Term) -> None:
        """What the model says about a value, where its expression is evaluated."""
        self.flow.assume(b.implies(b.conjunction(self._guards), fact))

    def assume_range(self, type: CType, term: Term) -> None:
        """A value from outside (or from memory never written) is still one of its type."""
        if not isinstance(type, Floating):
            integer = self.symbols.integer_type(type)
            fact = self.arithmetic.in_range(integer, term)
            if self.symbols.unbounded and integer is self.symbols.address_type:
                fact = b.integer(0) <= term
            self.assume(fact)

    def _fail_unless(self, fact: Term, check: Check, at: Position | None) -> None:
        """An edge to an error location where ``fact`` does not hold; go on where it does. What was checked
        just before, with no change since, is not checked again."""
        version, known = self._checked
        if version == self.flow.version and (fact, check) in known:
            return
        known = known if version == self.flow.version else set()
        going_on = self.flow.split(self.function)
        self.flow.branch(fact, going_on, self.error(check, at))
        self.flow.resume(going_on)
        self._checked = (self.flow.version, {*known, (fact, check)})

    def error(self, check: Check, at: Position | None = None, label: str = "") -> Location:
        """The error location of a check: one for each line of the source and each label; one for each
        assertion, be there several in a line."""
        span = self.flow.span
        at = at or (span.start if span else None)
        label = label or check.label
        name = f"{label}@{at.file.rsplit('/', 1)[-1]}:{at.line}" if at else label
        found = self.errors.get(name)
        if found is not None and check is Check.ASSERTION and at is not None and found.position != at:
            name = f"{name}:{at.column}"
            found = self.errors.get(name)
        if found is None:
            found = Location(name, at)
            self.errors[name] = found
            self.broken[found] = check
        return found

    def end_unless(self, fact: Term, name: str, at: Position) -> None:
        """The model ends where ``fact`` does not hold: nobody may say safe if a run gets there."""
        fact = b.implies(b.conjunction(self._guards), fact)
        if fact is not TRUE:
            going_on = self.flow.split(self.function)
            self.flow.branch(fact, going_on, self.open_end(f"{name} at {at}", at))
            self.flow.resume(going_on)

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
        any value would not do: without the option; where undefined behaviour is checked, which may
        happen inside; and for types whose values the model does not have."""
        known = isinstance(type, Int | Pointer) or (isinstance(type, Floating) and type.bits in (32, 64))
        if not self.options.approximate or self.undefined_checked or not known:
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
