"""Calls and activations of procedures.

A procedure without an implementation is its contract: ``requires`` is asserted, what it ``modifies`` and
its results get any values (subject to ``where``), ``ensures`` is assumed. A procedure with one is
copied (:mod:`revet.frontends.kit.inlining` says when it is not): ``requires`` is asserted at the call, the
body is executed, ``ensures`` is asserted at its end. ``free`` clauses are only assumed.

Where every procedure is an entry ("library mode"), what a copy asserts need not be checked again: a run
that violates it violates it also from the entry of that procedure, which starts with any globals and any
arguments that satisfy ``requires``. (Not if globals have a ``where``, which entries assume.)
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from revet.errors import Position
from revet.frontends.boogie import syntax as s
from revet.frontends.boogie.call_graph import only_implementation, read_as_old
from revet.frontends.boogie.lower_expressions import Scope
from revet.frontends.boogie.lower_flow import Entry, Frame, Part, drawing
from revet.frontends.boogie.lower_statements import Lowering
from revet.logic import build as b
from revet.logic.sorts import INT
from revet.logic.terms import Term
from revet.logic.walk import free_vars
from revet.model.cfa import Location
from revet.model.procedures import Call
from revet.model.statements import Assign, Assume, Statement


class Calls:
    """``limits`` and ``once`` are those of :mod:`inlining`; ``recorded`` collects calls of recursive
    procedures instead of following them, for the model with procedures."""

    def __init__(
        self, lowering: Lowering, limits: Mapping[str, int], once: Collection[str], library: bool
    ) -> None:
        self.lowering = lowering
        self.flow = lowering.flow
        self.expressions = lowering.expressions
        self.limits = limits
        self.once = once
        self.recorded: list[Call] | None = None
        self.open_ends: dict[str, Location] = {}
        self._trusting = library and all(x.where is None for x in lowering.checked.globals.values())
        self._variables: dict[tuple[s.Variable, str, int], Term] = {}
        self._old: dict[tuple[s.Variable, str, int], Term] = {}
        self._kept: dict[str, tuple[Location, Location, Term]] = {}
        self._callers: dict[str, int] = {}
        self._read_as_old: dict[s.Procedure, list[s.Variable]] = {}

    # ---- variables --------------------------------------------------------------------------

    def local(self, variable: s.Variable, procedure: str, depth: int) -> Term:
        """The automaton's variable for a variable of a procedure, in the activation ``depth``."""
        key = (variable, procedure, depth)
        if key not in self._variables:
            stem = f"{procedure}::{variable.name}" + (f"^{depth}" if depth else "")
            sort = self.expressions.sort(variable)
            self._variables[key] = self.expressions.names.variable(stem, sort)
        return self._variables[key]

    def _old_copy(self, variable: s.Variable, procedure: str, depth: int) -> Term:
        key = (variable, procedure, depth)
        if key not in self._old:
            now = self.expressions.shared[variable]
            stem = f"{procedure}::old({variable.name})" + (f"^{depth}" if depth else "")
            self._old[key] = self.expressions.names.variable(stem, now.sort)
        return self._old[key]

    def _old_globals(self, procedure: s.Procedure) -> list[s.Variable]:
        if procedure not in self._read_as_old:
            self._read_as_old[procedure] = read_as_old(procedure)
        return self._read_as_old[procedure]

    def interface(self, procedure: s.Procedure) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
        """Parameters and results of the outermost activation."""
        name = procedure.name
        inputs = tuple(self.local(x, name, 0) for x in procedure.inputs)
        return inputs, tuple(self.local(x, name, 0) for x in procedure.outputs)

    # ---- activations ------------------------------------------------------------------------

    def frame(
        self, procedure: s.Procedure, depth: int, exit_: Location, trusted: bool,
        constants: Mapping[s.Variable, Term] | None = None,
    ) -> Frame:
        """``constants`` are arguments that need no variable, by parameter."""
        implementation = only_implementation(procedure, self.lowering.program)
        name = procedure.name
        known: dict[s.Variable, Term] = {}
        for contract, own in (
            *zip(procedure.inputs, implementation.inputs, strict=True),
            *zip(procedure.outputs, implementation.outputs, strict=True),
        ):
            constant = (constants or {}).get(contract)
            known[contract] = known[own] = self.local(contract, name, depth) if constant is None else constant
        known |= {x: self.local(x, name, depth) for x in implementation.body.locals}
        old = {x: self._old_copy(x, name, depth) for x in self._old_globals(procedure)}
        return Frame(procedure, implementation, depth, exit_, Scope(known, old), trusted)

    def activation(self, frame: Frame) -> None:
        """From here, where the parameters have their values and ``requires`` holds, to the exit."""
        lowering, scope = self.lowering, frame.scope
        lowering.frames.append(frame)
        body = frame.implementation.body
        entered: list[Statement] = [Assign(copy, self.expressions.shared[x]) for x, copy in scope.old.items()]
        pairs = [(x, scope.variables[x]) for x in (*frame.implementation.outputs, *body.locals)]
        declared = [*frame.procedure.outputs, *frame.implementation.outputs, *body.locals]
        where = lowering.where(list(dict.fromkeys(declared)), scope)
        at = frame.implementation.position
        lowering.step(at, (entered, []), drawing(pairs), where, text=f"{frame.procedure.name}")
        lowering.body(body)
        for clause in frame.procedure.ensures:
            if clause.free:
                lowering.assume(clause.formula, scope, clause.position)
            else:
                lowering.require(clause.formula, scope, (clause,), "ensures", clause.position)
        lowering.frames.pop()

    def enter(self, procedure: s.Procedure, end: Location) -> None:
        """The run starts in this procedure, with any arguments."""
        flow, at = self.flow, procedure.position
        exit_ = flow.location(procedure.name, at, ":exit")
        frame = self.frame(procedure, 0, exit_, trusted=False)
        inputs = [(x, frame.scope.variables[x]) for x in procedure.inputs]
        begin = flow.location(procedure.name, at, ":entry")
        drawn = drawing(inputs)
        flow.edge(flow.here, begin, at, drawn[0], [Entry(procedure), *drawn[1]])
        flow.here = begin
        self._assume_entry(frame)
        if self.recorded is not None and procedure.name in self.limits:
            results = [self.local(x, procedure.name, 0) for x in procedure.outputs]
            arguments = [term for _, term in inputs]
            self._record(procedure, arguments, results, at)
        else:
            self.activation(frame)
        flow.edge(flow.here, end, at, text="}")

    def _assume_entry(self, frame: Frame) -> None:
        lowering, procedure = self.lowering, frame.procedure
        before = Scope(frame.scope.variables, {})
        lowering.step(procedure.position, lowering.where(list(procedure.inputs), before))
        for clause in procedure.requires:
            lowering.assume(clause.formula, before, clause.position)

    def lower_recursive(self, procedure: s.Procedure) -> tuple[Location, Location]:
        """The body of a recursive procedure by itself: its entry and exit."""
        flow = self.flow
        entry, exit_ = (flow.location(procedure.name, procedure.position, kind) for kind in (":in", ":out"))
        flow.here = entry
        frame = self.frame(procedure, 0, flow.location(procedure.name, procedure.position, ":exit"), False)
        self._assume_entry(frame)
        self.activation(frame)
        flow.edge(flow.here, exit_, procedure.position, text="}")
        return entry, exit_

    # ---- calls ------------------------------------------------------------------------------

    def call(self, statement: s.Call) -> None:
        callee = statement.callee
        if not callee.implementations:
            self._by_contract(statement)
        elif self.recorded is not None and callee.name in self.limits:
            self._recorded_call(statement)
        else:
            self._inlined(statement)

    def _arguments(self, statement: s.Call, direct: Collection[s.Variable], depth: int) -> tuple[
        dict[s.Variable, Term], Part
    ]:
        """What the parameters are, and what must be done for it: parameters in ``direct`` stand for
        their arguments, the others are variables that get the arguments' values."""
        callee, scope = statement.callee, self.lowering.frame.scope
        found: dict[s.Variable, Term] = {}
        assigned: list[Statement] = []
        drawn: list[tuple[s.Variable, Term]] = []
        for parameter, argument in zip(callee.inputs, statement.arguments, strict=True):
            if argument is not None and parameter in direct:
                found[parameter] = self.expressions.term(argument, scope)
                continue
            found[parameter] = self.local(parameter, callee.name, depth)
            if argument is None:
                drawn.append((parameter, found[parameter]))
            else:
                assigned.append(Assign(found[parameter], self.expressions.term(argument, scope)))
        statements, choices = drawing(drawn)
        return found, (assigned + statements, choices)

    def _check_requires(self, statement: s.Call, parameters: Mapping[s.Variable, Term]) -> None:
        lowering, callee = self.lowering, statement.callee
        scope = Scope(parameters, {})
        lowering.step(statement.position, lowering.where(list(callee.inputs), scope))
        for clause in callee.requires:
            if clause.free or statement.free:
                lowering.assume(clause.formula, scope, statement.position)
            else:
                lowering.require(clause.formula, scope, (statement, clause), "requires", statement.position)

    def _by_contract(self, statement: s.Call) -> None:
        lowering, callee, scope = self.lowering, statement.callee, self.lowering.frame.scope
        modified = list(dict.fromkeys(name.variable for name in callee.modifies))
        shared = self.expressions.shared
        results: list[Term] = [self.expressions.term(name, scope) for name in statement.results]
        changing = {*results, *(shared[x] for x in modified)}
        direct = [
            parameter
            for parameter, argument in zip(callee.inputs, statement.arguments, strict=True)
            if argument is not None and not free_vars(self.expressions.term(argument, scope)) & changing
        ]
        parameters, bound = self._arguments(statement, direct, 0)
        lowering.step(statement.position, bound)
        self._check_requires(statement, parameters)
        old = {x: self._old_copy(x, callee.name, 0) for x in self._old_globals(callee) if x in modified}
        outputs: dict[s.Variable, Term] = {}
        after: dict[Term, Term] = {}
        for output, name, mine in zip(callee.outputs, statement.results, results, strict=True):
            own = mine if name.variable.kind != "global" else self.local(output, callee.name, 0)
            outputs[output] = own
            after[mine] = own
        saved: list[Statement] = [Assign(copy, shared[x]) for x, copy in old.items()]
        inside = Scope({**parameters, **outputs}, old)
        drawn = drawing([*((x, shared[x]) for x in modified), *outputs.items()])
        lowering.step(
            statement.position, (saved, []), drawn, lowering.where([*modified, *callee.outputs], inside)
        )
        for clause in callee.ensures:
            lowering.assume(clause.formula, inside, statement.position)
        lowering.step(statement.position, (lowering.parallel(after), []))

    def _inlined(self, statement: s.Call) -> None:
        lowering, flow, callee = self.lowering, self.flow, statement.callee
        name, at = callee.name, statement.position
        depth = sum(1 for frame in lowering.frames if frame.procedure is callee)
        if depth > 0 and depth >= self.limits.get(name, 1):
            end = self.open_ends.setdefault(name, Location(f"recursion-limit@{name}", at))
            flow.jump(end, at)
            return
        if name in self.once:
            self._call_once(statement)
            return
        scope = lowering.frame.scope
        direct = [
            parameter
            for parameter, argument in zip(callee.inputs, statement.arguments, strict=True)
            if argument is not None and not free_vars(self.expressions.term(argument, scope))
        ]
        parameters, bound = self._arguments(statement, direct, depth)
        lowering.step(at, bound)
        self._check_requires(statement, parameters)
        exit_ = flow.location(name, at, ":exit")
        frame = self.frame(callee, depth, exit_, self._trusting, parameters)
        self.activation(frame)
        self._return(statement, frame)

    def _return(self, statement: s.Call, frame: Frame) -> None:
        lowering = self.lowering
        mine = [self.expressions.term(name, lowering.frame.scope) for name in statement.results]
        theirs = [frame.scope.variables[x] for x in frame.procedure.outputs]
        lowering.step(statement.position, (lowering.parallel(dict(zip(mine, theirs, strict=True))), []))

    def _call_once(self, statement: s.Call) -> None:
        """Jump to the one copy of a procedure and come back to where its caller's number says."""
        lowering, flow, callee, at = self.lowering, self.flow, statement.callee, statement.position
        parameters, bound = self._arguments(statement, (), 0)
        lowering.step(at, bound)
        self._check_requires(statement, parameters)
        number = self._callers[callee.name] = self._callers.get(callee.name, 0) + 1
        known = self._kept.get(callee.name)
        calling = flow.here
        if known is None:
            entry = flow.location(callee.name, callee.position, ":entry")
            caller = self.expressions.names.variable(f"{callee.name}::caller", INT)
            frames, lowering.frames = lowering.frames, []
            flow.here = entry
            exit_ = flow.location(callee.name, callee.position, ":exit")
            self.activation(self.frame(callee, 0, exit_, self._trusting))
            lowering.frames = frames
            known = self._kept[callee.name] = (entry, flow.here, caller)
        entry, leaving, caller = known
        flow.edge(calling, entry, at, [Assign(caller, b.integer(number))])
        after = flow.location(lowering.frame.procedure.name, at)
        flow.edge(leaving, after, at, [Assume(b.eq(caller, b.integer(number)))])
        flow.here = after
        self._return(statement, self.frame(callee, 0, leaving, self._trusting))

    # ---- calls as they are ------------------------------------------------------------------

    def _recorded_call(self, statement: s.Call) -> None:
        lowering, callee, scope = self.lowering, statement.callee, self.lowering.frame.scope
        arguments: list[Term] = []
        drawn: list[tuple[s.Variable, Term]] = []
        for parameter, argument in zip(callee.inputs, statement.arguments, strict=True):
            if argument is None:
                stem = f"{lowering.frame.procedure.name}::any {parameter.name}"
                sort = self.expressions.sort(parameter)
                drawn.append((parameter, self.expressions.names.variable(stem, sort)))
                arguments.append(drawn[-1][1])
            else:
                arguments.append(self.expressions.term(argument, scope))
        lowering.step(statement.position, drawing(drawn))
        self._check_requires(statement, dict(zip(callee.inputs, arguments, strict=True)))
        results = [self.expressions.term(name, scope) for name in statement.results]
        self._record(callee, arguments, results, statement.position)

    def _record(
        self, callee: s.Procedure, arguments: Sequence[Term], results: Sequence[Term], at: Position
    ) -> None:
        assert self.recorded is not None
        source = self.flow.here
        before = self.flow.location(callee.name, at, ":call")
        self.flow.edge(source, before, at)  # so that no other step leaves the place of a call
        target = self.flow.location(callee.name, at, ":return")
        call = Call(before, target, callee.name, tuple(arguments), tuple(results), at)
        self.recorded.append(call)
        self.flow.here = target
