"""Depth-first search in the tree of paths (algorithm 2 of the notes), without recursion.

The solver's stack follows the path: entering an edge pushes its constraints, leaving it pops
them. A path is given up as soon as its constraints are unsatisfiable. Variables have the version
of the depth where they last changed. No query is made where the answer is known: for a guard that is true,
and for one whose negation was refuted at the same place (edges to errors come first).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from revet.engines.bmc.explain import TreePicture
from revet.engines.bmc.relevance import relevant_locations
from revet.engines.bmc.steps import Instances, instantiate, stand_in
from revet.engines.bmc.traces import run
from revet.engines.common.context import Context
from revet.events import BoundReached, FrameOpened
from revet.logic.core import and_, eq, not_
from revet.logic.terms import FALSE, TRUE, Term
from revet.logic.walk import constants
from revet.model.cfa import Cfa, Edge, Location
from revet.model.names import at
from revet.result import CfaTrace, Exhausted, Safe, Unknown, Unsafe, Verdict
from revet.smt import SolverFactory, Status
from revet.smt.logics import logic_of

FIRST_BOUND = 8


def search(
    cfa: Cfa,
    backend: SolverFactory,
    context: Context,
    backward: bool,
    bound: int | None,
    versioning: bool,
    explain: bool = False,
) -> Verdict:
    limit = FIRST_BOUND if bound is None else bound
    while True:
        context.observe(FrameOpened("bmc", limit))
        tree = _Tree(cfa, backend, context, backward, versioning)
        picture = TreePicture(context, backward, tree.errors) if explain else None
        tree.picture = picture
        trace = tree.walk(limit)
        if picture is not None:
            picture.show(limit)
        if trace is not None:
            return Unsafe(trace)
        if tree.undecided is not None:
            return Unknown(f"the solver could not decide a path: {tree.undecided}")
        if not tree.cut:
            return Safe(Exhausted(max(tree.deepest + 1, 1), backward, one_by_one=not backward))
        context.observe(BoundReached("bmc", limit))
        if bound is not None:
            return Unknown(f"no violation within {bound} steps", bound)
        limit *= 2


@dataclass(eq=False, slots=True)
class _Frame:
    """The end of the current path. ``edges`` are those not yet tried from here."""

    location: Location
    versions: Mapping[Term, Term]
    edges: Iterator[Edge]
    constraint: Term  # what the last edge demands: its guard, and equations that define versions
    guard: Term
    edge: Edge | None
    inputs: Mapping[Term, Term]
    refuted: list[Term] = field(default_factory=list)  # guards of edges that cannot be taken from here


class _Tree:
    """One walk through all paths of at most a given length.

    ``cut``: some feasible path was longer. ``deepest``: the length of the longest feasible one.
    ``undecided``: why the solver failed on a path, if it did; the walk goes on without it.
    """

    def __init__(
        self, cfa: Cfa, backend: SolverFactory, context: Context, backward: bool, versioning: bool
    ) -> None:
        self.cfa = cfa
        self.instances = Instances(cfa)
        self.context = context
        self.backward = backward
        self.versioning = versioning
        self.solver = backend.solver(logic_of(cfa), context.budget)
        self.relevant = relevant_locations(cfa)
        self.errors = frozenset(cfa.errors)
        self.path: list[_Frame] = []
        self.cut = False
        self.deepest = -1
        self.undecided: str | None = None
        self.picture: TreePicture | None = None

    def walk(self, limit: int) -> CfaTrace | None:
        """The first faulty run of at most ``limit`` steps."""
        ends = dict.fromkeys(self.cfa.errors) if self.backward else (self.cfa.initial,)
        for start in ends:
            if start in self.relevant:
                trace = self._walk_from(start, limit)
                if trace is not None:
                    return trace
        return None

    def _walk_from(self, start: Location, limit: int) -> CfaTrace | None:
        versions = {x: at(x, 0) for x in self.cfa.variables}
        constraint = TRUE
        if not self.backward:
            if self.versioning:
                versions.update(constants(self.cfa.precondition))
            constraint = instantiate(self.cfa.precondition, dict(versions))
        follow = self._backward if self.backward else self._forward
        found = self._enter(self._frame(start, versions, constraint, constraint), limit)
        while self.path and found is None:
            self.context.budget.poll()
            edge = next(self.path[-1].edges, None)
            if edge is None:
                self._leave()
            else:
                found = self._enter(follow(edge), limit)
        return found

    def _next_edges(self, location: Location) -> Iterator[Edge]:
        if self.backward:
            return (
                edge
                for edge in self.cfa.incoming[location]
                if edge.source in self.relevant and edge.source not in self.errors
            )
        if location in self.errors:
            return iter(())
        edges = [edge for edge in self.cfa.outgoing[location] if edge.target in self.relevant]
        return iter(sorted(edges, key=lambda edge: edge.target not in self.errors))

    def _enter(self, frame: _Frame, limit: int) -> CfaTrace | None:
        """Extend the path by a frame if it is feasible; the faulty run if this completes one."""
        if frame.constraint is FALSE:
            self._draw(frame, "infeasible")
            return None
        if len(self.path) > limit and self.cut:
            return None
        self.solver.push()
        self.solver.add(frame.constraint)
        self.path.append(frame)
        # Only a query makes a model.
        ask = not self._surely_passes(frame.guard) or (frame.location in self.errors and not self.backward)
        status = self.solver.check() if ask else Status.SAT
        if status is Status.UNKNOWN:
            self.undecided = self.undecided or self.solver.reason_unknown
        if self.picture is not None:
            too_long = "" if len(self.path) <= limit + 1 else "too long"
            self._draw(frame, "infeasible" if status is Status.UNSAT else too_long, len(self.path) - 1)
        if status is Status.SAT and len(self.path) <= limit + 1:
            self.deepest = max(self.deepest, len(self.path) - 1)
            return self._violation(frame)
        self.cut = self.cut or status is Status.SAT
        self._leave()
        if status is Status.UNSAT and self.path:
            self.path[-1].refuted.append(frame.guard)
        return None

    def _surely_passes(self, guard: Term) -> bool:
        """Can the path, which ends with an edge of this guard, be executed because it could be so far?"""
        return guard is TRUE or (len(self.path) > 1 and not_(guard) in self.path[-2].refuted)

    def _draw(self, frame: _Frame, outcome: str, depth: int | None = None) -> None:
        if self.picture is not None:
            place = len(self.path) if depth is None else depth
            self.picture.tried(place, frame.location, frame.edge, frame.constraint, outcome)

    def _leave(self) -> None:
        self.path.pop()
        self.solver.pop()

    def _violation(self, frame: _Frame) -> CfaTrace | None:
        if not self.backward:
            return self._trace() if frame.location in self.errors else None
        if frame.location is not self.cfa.initial:
            return None
        start = instantiate(self.cfa.precondition, dict(frame.versions))
        status = Status.UNSAT if start is FALSE else self.solver.check([start])
        if status is Status.UNKNOWN:
            self.undecided = self.undecided or self.solver.reason_unknown
        return self._trace() if status is Status.SAT else None

    def _forward(self, edge: Edge) -> _Frame:
        """The frame at the target of an edge that leaves the end of the path."""
        relation = self.cfa.relation(edge)
        depth = len(self.path)
        before = self.path[-1].versions
        memo = dict(before)
        instance = self.instances.instance(edge, memo, lambda local: at(local, depth))
        guard = instance.guard
        versions = dict(before)
        equations = list(instance.definitions)
        for x in relation.updates if self.versioning else self.cfa.variables:
            if guard is FALSE:
                break
            value = instantiate(relation.after(x), memo)
            if self.versioning:
                versions[x] = stand_in(x, value, lambda y: at(y, depth), equations)
            else:
                versions[x] = at(x, depth)
                equations.append(eq(versions[x], value))
        return self._frame(
            edge.target, versions, and_(guard, *equations), guard, edge, instance.inputs
        )

    def _backward(self, edge: Edge) -> _Frame:
        """The frame at the source of an edge that leads to the end of the path."""
        relation = self.cfa.relation(edge)
        depth = len(self.path)
        after = self.path[-1].versions
        changed = tuple(relation.updates) if self.versioning else self.cfa.variables
        versions = {**after, **{x: at(x, depth) for x in changed}}
        memo = dict(versions)
        instance = self.instances.instance(edge, memo, lambda local: at(local, depth))
        guard = and_(
            instance.guard, *(eq(after[x], instantiate(relation.after(x), memo)) for x in changed)
        )
        constraint = and_(guard, *instance.definitions)
        return self._frame(edge.source, versions, constraint, guard, edge, instance.inputs)

    def _frame(
        self,
        location: Location,
        versions: Mapping[Term, Term],
        constraint: Term,
        guard: Term,
        edge: Edge | None = None,
        inputs: Mapping[Term, Term] | None = None,
    ) -> _Frame:
        return _Frame(location, versions, self._next_edges(location), constraint, guard, edge, inputs or {})

    def _trace(self) -> CfaTrace:
        frames = self.path
        steps = [(frame.edge, frame.inputs) for frame in frames if frame.edge is not None]
        if self.backward:
            frames, steps = frames[::-1], steps[::-1]
        return run(
            self.solver.model(),
            [frame.location for frame in frames],
            [frame.versions for frame in frames],
            [edge for edge, _ in steps],
            [inputs for _, inputs in steps],
        )
