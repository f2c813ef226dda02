"""An interpreter of Lustre: the reference semantics, and the replay of counterexamples.

Works on the typed program, instant by instant, with Python's own numbers; it shares nothing with
the lowering but the parser, the type checker, and what looks at typed expressions (:mod:`.walk`,
:mod:`.pushing`). What the program leaves open (an unguarded
``pre``, ``any``, outputs of imported nodes, functions without a body, parameters, what an array has
beyond its bounds) it asks of an :class:`Oracle`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from revet.frontends.lustre import core
from revet.frontends.lustre.interpret_functions import Functions
from revet.frontends.lustre.interpret_quantifiers import Undecided
from revet.frontends.lustre.lower_context import Bindings, Path
from revet.frontends.lustre.pushing import pushed_once, uses_bound
from revet.frontends.lustre.types import Abstract, ArrayOf, Type, plain
from revet.frontends.lustre.values import nothing
from revet.frontends.lustre.walk import call_parts, is_within
from revet.logic.values import ArrayValue


class Oracle:
    """Answers for what the program leaves open: the simplest value. Subclasses know better."""

    def parameter(self, name: str, type_: Type) -> Any:
        return nothing(type_)

    def domain(self, type_: Abstract) -> ArrayValue:
        """Which numbers are values of an abstract type."""
        return ArrayValue(True)

    def pre(self, path: Path, expr: core.Pre, bindings: Bindings, instant: int) -> Any:
        return nothing(expr.type)

    def free(self, path: Path, expr: core.Expr, bindings: Bindings, instant: int) -> Any:
        return nothing(expr.type)

    def stream(self, path: Path, stream: core.Stream, instant: int) -> Any:
        return nothing(stream.type)

    def function(self, name: str, arguments: Sequence[tuple[Type, Any]], type_: Type) -> Any:
        return nothing(type_)

    def beyond(
        self, path: Path, what: object, bindings: Bindings, type_: ArrayOf, index: int, instant: int
    ) -> Any:
        return nothing(type_.element)

    def no_entry(self, path: Path, expr: core.Expr, bindings: Bindings, instant: int) -> Any:
        """What the values of an empty map are taken from."""
        return None


@dataclass(frozen=True)
class Place:
    """Where an expression is evaluated. ``key`` tells apart the clocks within a node; ``first``: is this
    the first of their instants; ``environment``: bound variables; ``quantified``: inside a quantifier;
    ``given``: the inputs of a function that is evaluated by itself; what is called there is ``silent``."""

    node: core.Node
    path: Path
    key: tuple[object, ...] = ()
    first: bool = False
    bindings: Bindings = ()
    environment: Mapping[str, Any] = field(default_factory=dict)
    quantified: bool = False
    caller: Place | None = None
    call: core.Call | None = None
    given: Mapping[str, Any] | None = None
    silent: bool = False

    @property
    def identity(self) -> tuple[object, ...]:
        """The same for evaluations that yield the same value within an instant."""
        bound = tuple(sorted(self.environment.items(), key=lambda pair: pair[0])) if self.quantified else ()
        return (self.path, self.key, self.bindings, bound)


class Machine(Functions):
    """A running top node.

    ``held``: has everything that may be taken for granted (assertions, assumptions of the top node,
    contracts of imported nodes, constraints of ``any``) been true so far? ``false``: the obligations that
    were false at the last instant, as (path, formula or place).
    """

    def __init__(
        self, program: core.Program, top: core.Node, oracle: Oracle | None = None,
        watched: core.Expr | None = None, abstract: frozenset[str] = frozenset(),
    ) -> None:
        super().__init__()
        self.program = program
        self.top = top
        self.oracle = oracle or Oracle()
        self.watched = watched
        self.abstract = abstract
        self.instant = 0
        self.held = True
        self.truths: list[Any] = []
        self.false: set[tuple[Path, core.Expr]] = set()
        self._memory: dict[tuple[object, ...], Any] = {}
        self._started: set[tuple[Path, object]] = set()
        self._assumed: dict[Path, bool] = {}
        self._watching: dict[core.Expr, bool] = {}
        self._begin({})

    def _begin(self, inputs: Mapping[str, Any]) -> None:
        self.inputs = inputs
        self._cache: dict[tuple[object, ...], Any] = {}
        self._latches: dict[tuple[object, ...], tuple[core.Expr | None, Place]] = {}  # None: is found already
        self._active: dict[tuple[Path, object], None] = {}
        self._places: dict[Path, Place] = {}
        self._specials: dict[tuple[Path, str, Bindings], Any] = {}
        self._open: set[tuple[object, ...]] = set()
        self._calls = 0

    # -- instants

    def step(self, inputs: Mapping[str, Any], formulas: Sequence[core.Expr] = ()) -> dict[str, Any]:
        """One instant: the values of all streams of the top node; ``truths`` has those of the formulas."""
        self._begin(inputs)
        self.false = set()
        place = self._enter(Place(self.top, ()))
        result = {stream.name: self.stream(place, stream.name) for stream in self.top.streams}
        self._look_at(place)
        self.truths = [self.evaluate(formula, place) for formula in formulas]
        self._latch()
        self.instant += 1
        return result

    def _enter(self, place: Place) -> Place:
        """Begin an instant of a context: is it its first?"""
        key = (place.path, place.key)
        place = replace(place, first=key not in self._started)
        self._active[key] = None
        if not (place.key or place.path in self._places or place.quantified or place.silent):
            self._places[place.path] = place
        return place

    def _look_at(self, top: Place) -> None:
        """Every stream and every contract of every node that is active, and what they bring in."""
        done: set[Path] = set()
        while todo := [place for path, place in self._places.items() if path not in done]:
            for place in todo:
                done.add(place.path)
                hidden = ("local",) if self._is_opaque(place) else ()
                for name, (role, _, _) in place.node.roles.items():
                    if role not in hidden:
                        self.stream(place, name)
                self._contract(place, place.path == top.path)

    def _latch(self) -> None:
        """What every ``pre`` will see at its next instant."""
        done: set[tuple[object, ...]] = set()
        while todo := [item for item in self._latches.items() if item[0] not in done]:
            for key, (expr, place) in todo:
                done.add(key)
                if expr is not None:
                    self._cache["latch", key] = self.evaluate(expr, place)
            self._look_at(self._places[()])
        for key in self._latches:
            self._memory[key] = self._cache["latch", key]
        self._started |= self._active.keys()

    # -- contracts

    def _is_opaque(self, place: Place) -> bool:
        hidden = place.node.separate or place.node.name in self.abstract
        return place.node.imported or (hidden and bool(place.path) and place.given is None)

    def _contract(self, place: Place, top: bool) -> None:
        node = place.node
        opaque = self._is_opaque(place)
        if not opaque:
            self._grant(*(self.evaluate(formula, place) for formula in node.asserts))
        now = all(self.evaluate(clause.formula, place) for clause in node.assumes)
        if top:
            self._grant(now)
            if self.instant == 0:
                anywhere = Place(core.Node("", node.position, True, False), ())
                self._grant(*(self.evaluate(c, anywhere) for c in self.program.constraints))
        before = node.function or place.first or self._assumed.get(place.path, True)
        assumed = now and before
        self._assumed[place.path] = assumed
        for clause in (*node.assumes, *node.guarantees, *node.duties, *node.properties, *self.program.duties):
            owed = clause.formula is self.watched and (clause in node.assumes or assumed)
            if owed and not self.evaluate(clause.formula, place):
                self.false.add((place.path, clause.formula))
            elif not owed and self._has_watched(clause.formula):
                with suppress(Undecided):  # the truth of the whole does not matter
                    self.evaluate(clause.formula, place)
        if opaque and not top and assumed and (node.opaque or not node.separate):
            self._grant(*(self.evaluate(clause.formula, place) for clause in node.guarantees))

    def _has_watched(self, formula: core.Expr) -> bool:
        """Is what is watched owed at a place within the formula, or by a node that is called there?"""
        if formula not in self._watching:
            self._watching[formula] = self.watched is not None and is_within(self.watched, formula)
        return self._watching[formula]

    def _grant(self, *truths: bool) -> None:
        self.held = self.held and all(truths)

    # -- streams

    def stream(self, place: Place, name: str, path: tuple[int, ...] = ()) -> Any:
        key = ("stream", place.path, self._bound_part(place), name, path)
        if key not in self._cache:
            if key in self._open:
                raise _Circular
            self._open.add(key)
            try:
                self._cache[key] = self._stream(place, name, path)
            finally:
                self._open.discard(key)
        return self._cache[key]

    def _bound_part(self, place: Place) -> object:
        return place.identity[3] if place.quantified else ()

    def _stream(self, place: Place, name: str, path: tuple[int, ...]) -> Any:
        node = place.node
        base = replace(place, key=(), bindings=(), first=self._base_first(place))
        role, number, declared = node.roles[name]
        if role == "input" and place.given is not None:
            return self._descend(place.given[name], path)
        if role == "input":
            if place.call is None or place.caller is None:
                return self._descend(self.inputs[name], path)
            argument = place.call.arguments[number]
            return self.at_path(argument, path, place.caller)
        definition = node.definitions.get(name)
        if role == "output" and self._is_opaque(place):
            definition = None
        if definition is None:
            if path:
                return self._descend(self.stream(place, name), path)
            return self._open_stream(place, declared)
        type_ = plain(declared.type)
        for _ in path:
            assert isinstance(type_, ArrayOf)
            type_ = plain(type_.element)
        if isinstance(type_, ArrayOf):
            return tuple(self.stream(place, name, (*path, k)) for k in range(self.length(type_, base)))
        return self.at_path(definition, path, base)

    def _base_first(self, place: Place) -> bool:
        return (place.path, ()) not in self._started

    def _open_stream(self, place: Place, stream: core.Stream) -> Any:
        node = place.node
        computed = node.separate and not node.opaque and place.given is None
        if computed and stream.name in node.definitions and place.path:
            return self.applied(place, stream)
        if node.function and place.path:
            arguments = [(s.type, self.stream(place, s.name)) for s in node.inputs]
            found = self.oracle.function(f"{node.name}.{stream.name}", arguments, stream.type)
        else:
            found = self.oracle.stream(place.path, stream, self.instant)
        return self.sized(stream.type, found, place)

    # -- time, clocks and calls

    def _temporal(self, expr: core.Expr, place: Place) -> Any:
        match expr:
            case core.Pre():
                return self._pre(expr, place)
            case core.If():
                return self._conditional(expr, (), place)
            case core.Output():
                return self._output(expr, place)
            case core.Decrease():
                return self.smaller(expr, place)
            case core.Free():
                value = self.oracle.free(place.path, expr, place.bindings, self.instant)
                value = self.sized(expr.type, value, place)
                return self._constrained(expr.name, expr.constraints, value, place)
            case core.Choice():
                arguments = [(part.type, self.evaluate(part, place)) for part in expr.captured]
                value = self.oracle.function(expr.function, arguments, expr.type)
                value = self.sized(expr.type, value, place)
                return self._constrained(expr.name, expr.constraints, value, place)
            case core.Global(name=name, type=type_):
                return self.sized(type_, self.oracle.parameter(name, type_), place)
        raise AssertionError(f"not an expression: {expr}")

    def _constrained(self, name: str, constraints: list[core.Expr], value: Any, place: Place) -> Any:
        self._specials[place.path, name, place.bindings] = value
        self._grant(*(self.evaluate(constraint, place) for constraint in constraints))
        return value

    def special(self, place: Place, name: str) -> Any:
        for count in range(len(place.bindings), -1, -1):
            key = (place.path, name, place.bindings[:count])
            if key in self._specials:
                return self._specials[key]
        return None

    def _pre(self, expr: core.Pre, place: Place) -> Any:
        if place.quantified and uses_bound(expr.argument):
            return self.evaluate(pushed_once(expr, self.program), place)
        argument = expr.argument
        label = argument.name if isinstance(argument, core.Var) else argument
        key = (place.path, place.key, place.bindings, label)
        self._latches[key] = (argument, place)
        if place.first or key not in self._memory:
            found = self.oracle.pre(place.path, expr, place.bindings, self.instant)
            return self.sized(expr.type, found, place)
        return self._memory[key]

    def _conditional(self, expr: core.If, path: tuple[int, ...], place: Place) -> Any:
        """Both branches of an eager one are evaluated: every ``pre`` in them sees every instant."""
        condition = self.evaluate(expr.condition, place)
        if not expr.lazy:
            chosen, other = (expr.then, expr.otherwise) if condition else (expr.otherwise, expr.then)
            with suppress(_Circular):  # of an array's definition: the lowering has not looked there either
                self.at_path(other, path, place)
            return self.at_path(chosen, path, place)
        branch = expr.then if condition else expr.otherwise
        key = (*place.key, (expr.condition, bool(condition), place.bindings))
        return self.at_path(branch, path, self._enter(replace(place, key=key)))

    def _output(self, expr: core.Output, place: Place) -> Any:
        call = expr.call
        active = call.clock is None or self.evaluate(call.clock, place)
        if active and call.decrease is not None and not self.evaluate(call.decrease, place):
            return self.endless(expr, place)
        if not active:  # the arguments are on the caller's clock
            for part in call_parts(call):
                self.evaluate(part, place)
        out = self.stream(self._callee(call, place), call.node.outputs[expr.index].name) if active else None
        if call.clock is None:
            return out
        if call.defaults is None:
            return out if active else self.sized(expr.type, nothing(expr.type), place)
        default = self.evaluate(call.defaults[expr.index], place)
        key = (place.path, place.key, place.bindings, call, expr.index)
        if not active:
            out = default if place.first or key not in self._memory else self._memory[key]
        self._cache["latch", key] = out
        self._latches.setdefault(key, (None, place))
        return out

    def _callee(self, call: core.Call, place: Place) -> Place:
        path = (*place.path, (call, place.bindings))
        known = self._places.get(path)
        if known is not None and not place.quantified:
            return known
        inner = Place(
            call.node, path, (), False, (), place.environment if place.quantified else {}, place.quantified,
            place, call, silent=place.silent,
        )
        again = call.restart is not None and self.evaluate(call.restart, place)
        if place.first or again:
            self._started = {key for key in self._started if key[0][: len(path)] != path}
        return self._enter(inner)

    def _inside(self, node: core.Node, inputs: dict[str, Any]) -> Place:
        path: Any = ((node, tuple(inputs.values())),)
        return Place(node, path, given=inputs, silent=True)


class _Circular(Exception):
    """A stream depends on itself within the instant: only in a branch that is not taken."""


def run(program: core.Program, inputs: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The streams of the first top node on given inputs; what is open is zero or false."""
    machine = Machine(program, program.tops[0])
    return [machine.step(row) for row in inputs]
