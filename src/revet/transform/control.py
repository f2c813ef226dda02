"""A program that was written as one transition relation, as an automaton again.

Tools that translate programs to transition systems keep the place in the program in Boolean variables: a
program counter, as bits. Where few of its values can be reached, each becomes a location, and the step
becomes one edge for each pair of values that it leads from and to. With the values put in, what is left of
the relation is a statement, or a block of them: next values that were given by a relation (``x' = t`` in one
branch of many) are definitions again, and an engine for automata sees loops, loop heads and frames for
each location.

Variables that say in which state a state machine is belong to the place, too, where that does not give too
many places: a server whose whole protocol is one loop has a location for each of its states again. Before
such a variable is set, and where it is set to something else than a state, the place says nothing of it.

Which values can be reached is found from the initial ones on; of the other variables nothing is assumed. The
Horn solver's counterpart is :mod:`revet.transform.horn_cases`.

Back: a run without its first and last edges, which lead in and to the error, is a run of the system. Formulas
at locations say what holds where the control variables have their values. If every location has one the
whole is inductive as the formulas are; a proof that has formulas only where they cut all cycles is
k-inductive for the longest way between two of these.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from itertools import islice

from revet.logic.core import and_, boolean, conjunction, const, disjunction, eq, iff, not_
from revet.logic.evaluate import Evaluator
from revet.logic.sorts import BOOL
from revet.logic.terms import FALSE, TRUE, Op, Term
from revet.logic.values import Value, default_value
from revet.logic.walk import conjuncts, constants, free_vars, free_vars_of, substitute
from revet.model.cfa import Cfa, Edge, Location
from revet.model.names import Fresh
from revet.model.relation import Relation
from revet.model.statements import Assume, Block
from revet.model.system import TransitionSystem
from revet.result.certificate import Certificate, KInductive, LocationInvariants
from revet.result.trace import CfaTrace, SystemTrace
from revet.smt import Model, Status
from revet.smt.z3 import Z3
from revet.transform.boolean_values import TooHard, candidate_values
from revet.transform.graph import depth_first
from revet.transform.reduction import NoControl, Reduction, Spurious
from revet.transform.solve import solved
from revet.transform.state_machines import States, state_machines

_MOST_BITS = 16
_MOST_LOCATIONS = 256
_MOST_EDGES = 1000
_MOST_CANDIDATES = 32  # for what a step leads to, before it is asked which of them it can lead to

Values = tuple[Value | None, ...]
"""What the control variables are at a place; None: anything."""

Outcome = list[tuple[Value | None, Term]]
"""For each control variable the value that a step leads to, and what must hold so that it leads there."""


def control_variables(system: TransitionSystem) -> list[Term]:
    """The Boolean variables, where they are few enough to be a program counter."""
    found = [x for x in system.variables if x.sort is BOOL]
    return found if len(found) <= _MOST_BITS and len(found) < len(system.variables) else []


def has_program_counter(system: TransitionSystem) -> bool:
    """Does it look as if a pass to control flow paid? The next value of a control variable is not computed,
    but demanded by the step's condition: by the branch of it that is taken."""
    demanded = free_vars(system.step.guard).intersection(system.step.locals)
    return any(system.step.updates.get(x) in demanded for x in control_variables(system))


def control_flow(system: TransitionSystem) -> Reduction:
    """See the module's text. Raises :class:`NoControl` where nothing can be a program counter."""
    counter = control_variables(system)
    if not counter:
        raise NoControl("no variables of the system can be its program counter")
    machines = state_machines(system)
    try:
        made = _Splitting(system, counter, machines)
    except NoControl:
        if not machines:
            raise
        made = _Splitting(system, counter, {})
    return Reduction(made.cfa, made.trace_back, made.certificate_back)


class _Splitting:
    """A place is made up of the values of the Boolean variables ``counter`` and of the states of ``machines``
    as far as they are known."""

    def __init__(self, system: TransitionSystem, counter: list[Term], machines: States) -> None:
        self._system = system
        self._counter = counter
        self._machines = machines
        self._control = [*counter, *machines]
        self._solver = Z3().solver()
        self._fresh = Fresh([*system.variables, *system.step.locals])
        self._places: dict[Values, Location] = {}
        self._inputs: dict[Edge, dict[Term, Term]] = {}  # over the variables and the edge's locals
        self._edges: list[Edge] = []
        self._steps: dict[Values, tuple[Term, dict[Term, Term]]] = {
            (): (system.step.guard, dict(system.step.updates))
        }
        self._start = Location(_unlike("start", system.properties))
        self._errors = {
            name: Location(name, system.positions.get(name)) for name in system.properties
        }
        self._find()
        variables = tuple(x for x in system.variables if x not in set(counter))
        locations = (self._start, *self._places.values(), *self._errors.values())
        self.cfa = Cfa(
            variables, locations, tuple(self._edges), self._start, tuple(self._errors.values()),
            TRUE, system.name,
        )

    # ------------------------------------------------------------------ there

    def _find(self) -> None:
        """Locations and edges, from the initial values on until nothing new is reached."""
        todo: list[Values] = []
        system = self._system
        start = and_(system.init, system.invariant)
        known = constants(start)
        for bits in self._candidates(start, list(self._counter), most=0):
            values = *bits, *(_state_of(known.get(x), states) for x, states in self._machines.items())
            todo.append(values)
            edge = Edge(self._start, self._place(values), (Assume(substitute(start, self._put(bits))),))
            self._edges.append(edge)
        while todo:
            values = todo.pop()
            place = self._place(values)
            fixed = self._put(values)
            for name, formula in system.properties.items():
                wrong = not_(substitute(formula, fixed))
                if wrong is not FALSE:
                    target = self._errors[name]
                    edge = Edge(place, target, (Assume(wrong),), target.position, f"not {name}")
                    self._edges.append(edge)
            todo += self._leave(place, values, fixed)
            if len(self._edges) > _MOST_EDGES:
                raise NoControl("the control variables make too many steps of one")

    def _step_from(self, values: Values) -> tuple[Term, dict[Term, Term]]:
        """The step's guard and updates where the first control variables have these values. Variables are put
        in one after the other: each makes the step smaller, for all places that begin alike."""
        if values not in self._steps:
            guard, updates = self._step_from(values[:-1])
            put = self._put((None,) * (len(values) - 1) + values[-1:])
            memo: dict[Term, Term] = {}
            guard = substitute(guard, put, memo)
            self._steps[values] = guard, {x: substitute(value, put, memo) for x, value in updates.items()}
        return self._steps[values]

    def _leave(self, place: Location, before: Values, fixed: dict[Term, Term]) -> list[Values]:
        """Adds the steps that leave a place; returns the values that they reach for the first time."""
        guard, updates = self._step_from(before)
        if self._system.invariants:
            guard = and_(guard, substitute(self._system.invariant, {**fixed, **updates}))
        after = [updates.get(x, fixed.get(x, x)) for x in self._control]
        free = set(self._system.step.locals).difference(after)
        rest, defined = solved([part for part in conjuncts(guard) if part is not TRUE], free)
        guard = conjunction(rest)
        after = [substitute(term, defined) for term in after]
        new = []
        outcomes = list(islice(self._outcomes(guard, after, fixed), _MOST_LOCATIONS + 1))
        if len(outcomes) > _MOST_LOCATIONS:
            raise NoControl("a step leads to too many values of the control variables")
        for outcome in outcomes:
            reached = list(zip(after, outcome, strict=True))
            relation, meaning = self._relation(guard, updates, defined, reached)
            if not self._machines and not self._candidates(relation.guard, [], most=0):
                continue
            values = tuple(value for value, _ in outcome)
            if values not in self._places:
                new.append(values)
            edge = Edge(place, self._place(values), (Block(relation),), text="step")
            self._inputs[edge] = meaning
            self._edges.append(edge)
        return new

    def _relation(
        self, guard: Term, updates: dict[Term, Term], defined: dict[Term, Term],
        reached: list[tuple[Term, tuple[Value | None, Term]]],
    ) -> tuple[Relation, dict[Term, Term]]:
        """The steps that have the outcome which ``reached`` says for each term, and what the system's locals
        are in them; ``defined`` are locals that have been solved for already."""
        locals_ = self._system.step.locals
        demanded = {
            term: const(value, term.sort) for term, (value, _) in reached
            if term in set(locals_) and value is not None
        }
        others = [condition for term, (_, condition) in reached if term not in demanded]
        memo: dict[Term, Term] = {}
        conditions = [
            part for one in [guard, *others] for part in conjuncts(substitute(one, demanded, memo))
            if part is not TRUE
        ]
        rest, found = solved(conditions, {x for x in locals_ if x not in demanded and x not in defined})
        known = {**demanded, **found}
        memo = {}
        known = {**{x: substitute(value, known, memo) for x, value in defined.items()}, **known}
        memo = {}
        counter = set(self._counter)
        state = {x: substitute(value, known, memo) for x, value in updates.items() if x not in counter}
        used = free_vars_of([*rest, *state.values()])
        drawn = {x: self._fresh(x.name, x.sort) for x in locals_ if x in used}
        any_ = {x: const(default_value(x.sort), x.sort) for x in locals_ if x not in used and x not in known}
        memo = {}
        state = {x: substitute(value, drawn, memo) for x, value in state.items()}
        given, memo = {**any_, **drawn}, {}
        meaning = {x: substitute(known.get(x, x), given, memo) for x in locals_}
        relation = Relation(
            substitute(conjunction(rest), drawn),
            {x: value for x, value in state.items() if value is not x},
            tuple(drawn.values()),
        )
        return relation, meaning

    def _put(self, values: Values) -> dict[Term, Term]:
        """``values`` may be those of the first control variables only."""
        known = zip(self._control, values, strict=False)
        return {x: const(value, x.sort) for x, value in known if value is not None}

    def _candidates(self, constraint: Term, terms: list[Term], most: int) -> list[tuple[bool, ...]]:
        try:
            return candidate_values(self._solver, constraint, terms, most, _MOST_LOCATIONS)
        except TooHard:
            raise NoControl("which values control variables have is too much to say") from None

    def _outcomes(self, guard: Term, after: list[Term], fixed: Container[Term]) -> Iterator[Outcome]:
        """Where steps lead that satisfy the guard: all places; without state machines, perhaps some more."""
        if not self._machines:
            for bits in self._candidates(guard, after, _MOST_CANDIDATES):
                yield [(bit, iff(term, boolean(bit))) for term, bit in zip(after, bits, strict=True)]
            return
        solver = self._solver
        solver.push()
        try:
            solver.add(guard)
            while (status := solver.check()) is not Status.UNSAT:
                if status is Status.UNKNOWN:
                    raise NoControl("where a step leads is too hard to say")
                outcome = self._outcome(after, fixed, solver.model())
                self._forget(after, outcome)
                yield outcome
                solver.add(not_(conjunction(condition for _, condition in outcome)))
        finally:
            solver.pop()

    def _outcome(self, after: list[Term], fixed: Container[Term], model: Model) -> Outcome:
        """What the model says about the control variables' values after a step. That a variable without a
        value at the place does not change is nothing new."""
        bits = [model.value(term) is True for term in after[: len(self._counter)]]
        found: Outcome = [(bit, iff(term, boolean(bit))) for term, bit in zip(after, bits, strict=False)]
        for (x, states), term in zip(self._machines.items(), after[len(bits) :], strict=True):
            value = model.value(term)
            if term.op == Op.CONST:
                found.append((_state_of(term, states), TRUE))
            elif x not in fixed and value == model.value(x):
                found.append((None, eq(term, x)))
            elif value in states:
                found.append((value, eq(term, const(value, term.sort))))
            else:
                found.append((None, TRUE))
        return found

    def _forget(self, after: list[Term], outcome: Outcome) -> None:
        """Makes nothing of what steps with the same outcome otherwise leave open: in one of them the variable
        is neither what it was nor any of the states."""
        for number, (x, states) in enumerate(self._machines.items(), start=len(self._counter)):
            if outcome[number][1] is not TRUE:
                others = [each for n, (_, each) in enumerate(outcome) if n != number]
                if self._solver.check([*others, _is_other(x, after[number], states)]) is not Status.UNSAT:
                    outcome[number] = None, TRUE

    def _place(self, values: Values) -> Location:
        if values not in self._places:
            if len(self._places) >= _MOST_LOCATIONS:
                raise NoControl("the control variables have too many values")
            bits = "".join("01"[value is True] for value in values[: len(self._counter)])
            states = [f"{x.name} = {x_is}" for x, x_is in self._put(values).items() if x in self._machines]
            self._places[values] = Location(_unlike(", ".join([f"at {bits}", *states]), self._errors))
        return self._places[values]

    # ------------------------------------------------------------------ and back

    def trace_back(self, trace: CfaTrace) -> SystemTrace:
        """All but the first edge and the last."""
        values = {place: bits for bits, place in self._places.items()}
        states = [
            {**state, **{x: v for x, v in zip(self._control, values[place], strict=True) if v is not None}}
            for place, state in zip(trace.locations[1:-1], trace.states[1:-1], strict=True)
        ]
        inputs = []
        for number, edge in enumerate(trace.edges[1:-1], start=1):
            given = trace.inputs[number] if number < len(trace.inputs) else {}
            locals_ = self.cfa.relation(edge).locals
            drawn = {x: given.get(x, default_value(x.sort)) for x in locals_}
            evaluator = Evaluator({**states[number - 1], **drawn})
            inputs.append({x: evaluator(term) for x, term in self._inputs[edge].items()})
        return SystemTrace(tuple(states), tuple(inputs), trace.violated)

    def certificate_back(self, certificate: Certificate) -> Certificate:
        if not isinstance(certificate, LocationInvariants):
            raise Spurious("the proof is not a formula about the states")
        known = certificate.formulas
        here = {
            place: conjunction(eq(x, value) for x, value in self._put(values).items())
            for values, place in self._places.items()
        }
        formula = and_(
            disjunction(and_(at, known.get(place, TRUE)) for place, at in here.items()), self._system.property
        )
        return KInductive(formula, certificate.k * self._longest(known), certificate.simple_path)

    def _longest(self, known: Container[Location]) -> int:
        """The most steps between two locations that have a formula, if only by default."""
        errors = set(self.cfa.errors)

        def crossed(place: Location) -> Iterator[tuple[Edge, Location]]:
            for edge in self.cfa.outgoing[place]:
                if edge.target not in known and edge.target not in errors:
                    yield edge, edge.target

        back, order = depth_first([self._start, *self._places.values()], crossed)
        if back:
            raise Spurious("the proof leaves out a loop")
        longest: dict[Location, int] = {}
        for place in order:  # targets first
            longest[place] = max((1 + longest[target] for _, target in crossed(place)), default=1)
        return max(longest.values())


def _state_of(value: Term | None, states: tuple[Value, ...]) -> Value | None:
    """Which of the states a constant is."""
    return value.payload if value is not None and value.payload in states else None


def _is_other(x: Term, term: Term, states: tuple[Value, ...]) -> Term:
    """The term is neither what ``x`` was nor any of the states."""
    return conjunction(not_(eq(term, other)) for other in [x, *(const(v, x.sort) for v in states)])


def _unlike(name: str, taken: Container[str]) -> str:
    while name in taken:
        name += "_"
    return name
