"""Lustre to a transition system: one step of the system is one instant of the top nodes.

State variables are the memories: one for every ``pre`` (its argument's value at the last instant), flags
``first`` for ``->``, one Boolean per obligation that records its value at the last instant, parameters, and
tables of functions without a body. Everything else is a function of the memories and of the instant's inputs,
so the state stays small and steps are functional.

Node calls are instantiated. Several top nodes are lowered side by side; one with assumptions has a flag that
says whether they have held, and owes nothing once they have not, so that no top node stops another.
"""

from __future__ import annotations

from collections.abc import Sequence

from revet.errors import InputError, Position
from revet.frontends.lustre import core
from revet.frontends.lustre.lower_context import Context, Instance, Obligation
from revet.frontends.lustre.lower_expressions import descend
from revet.frontends.lustre.lower_recursion import Recursion, separate_functions
from revet.frontends.lustre.shapes import Table, Value, choice
from revet.frontends.lustre.types import BOOL as LUSTRE_BOOL
from revet.frontends.lustre.types import ArrayOf, plain
from revet.frontends.lustre.walk import called, subexpressions
from revet.logic import build as b
from revet.logic.sorts import BOOL, INT, ArraySort
from revet.logic.terms import Term
from revet.logic.walk import free_vars
from revet.model.relation import Relation
from revet.model.system import TransitionSystem


class Lowering(Recursion):
    """Lowers a checked program; ``abstract`` names nodes of which only the contract counts. Nodes that stand
    ``alone`` are checked beside the top nodes."""

    def __init__(
        self, program: core.Program, abstract: frozenset[str] = frozenset(), alone: Sequence[core.Node] = ()
    ) -> None:
        super().__init__(program)
        self.abstract = abstract
        self.first = self.state("first", BOOL)
        self.init.append(self.first)
        self.updates[self.first] = b.FALSE
        self.tops: list[Instance] = []
        self.separate: list[Instance] = []  # what is checked once, for all inputs
        self.instances: list[Instance] = []
        self.input_values: dict[tuple[Instance, str], Value] = {}
        self._streams: dict[tuple[Instance, str, tuple[int, ...]], Value] = {}
        self._open: dict[tuple[Instance, str, tuple[int, ...]], None] = {}
        self._children: dict[tuple[core.Call, Context], Instance] = {}
        self._held: dict[tuple[object, int, Context], tuple[Value, Value]] = {}
        self._asked = 0
        self.flags: dict[str, Term] = {}  # of the obligations: did they hold at the last instant?
        self.others = [*separate_functions(program.tops), *alone]
        self.several = len(program.tops) + len(self.others) > 1

    # -- the system

    def system(self) -> TransitionSystem:
        self._parameters()
        for node in (*self.program.tops, *self.others):
            named = node in self.others or len(self.program.tops) > 1
            top = Instance(node, f"{node.name}: " if named else "", None)
            top.context = Context(top, b.TRUE, lambda: self.first)
            (self.separate if node in self.others else self.tops).append(top)
            self.instances.append(top)
        for top in (*self.tops, *self.separate):
            self._oblige_top(top)
        self._complete()
        for top in self.tops:
            self._ask_for_a_run(top)
        return self._assembled()

    def _parameters(self) -> None:
        anywhere = Instance(core.Node("", Position(self.program.path, 1, 1), True, False), "", None)
        anywhere.context = Context(anywhere, b.TRUE, lambda: self.first)
        for name, parameter in self.program.parameters.items():
            self.parameters[name] = self.make(name, parameter.type, anywhere.context, self.state)
            self.init.append(self.valid(parameter.type, self.parameters[name], anywhere.context))
        for constraint in self.program.constraints:
            self.init.append(self.term(constraint, anywhere.context))
        self._move_quantified(anywhere)

    def _move_quantified(self, anywhere: Instance) -> None:
        """Parameters never change: what constrains them is asked at every instant, and at the beginning
        where it can be evaluated."""
        self.definitions += self.givens.pop(anywhere, [])
        asked = [formula for formula in self.init if formula is not self.first]
        self.definitions += asked
        evaluable = [
            formula
            for formula in asked
            if not formula.quantified and free_vars(formula).isdisjoint(self.inputs)
        ]
        self.init = [self.first, *evaluable]

    def _assembled(self) -> TransitionSystem:
        guards = list(self.definitions)
        alive: dict[Instance, Term] = {}
        for top in (*self.tops, *self.separate):
            granted = b.conjunction(self.givens.get(top, []))
            if not self.several or granted is b.TRUE:
                guards.append(granted)
                alive[top] = b.TRUE
                continue
            flag = self.state(f"{top.prefix}alive", BOOL)
            self.init.append(flag)
            alive[top] = self.updates[flag] = b.and_(flag, self.box_value(granted))
        relied = {top: b.and_(alive[top], self.relied_on(top)) for top in alive}
        self._name_obligations()
        for obligation in self.obligations:
            flag = self.state(f"ok.{obligation.name}", BOOL)
            self.init.append(flag)
            known = (alive if obligation.reach else relied)[obligation.top]
            self.updates[flag] = b.implies(known, obligation.value)
            self.flags[obligation.name] = flag
        guards += [formula for formula in self.init if formula.quantified]
        init = b.conjunction(formula for formula in self.init if not formula.quantified)
        guard = b.conjunction(dict.fromkeys([*self.definitions, *guards]))
        updates = {x: value for x, value in self.updates.items() if value is not x}
        return TransitionSystem(
            variables=tuple(self.updates), init=init,
            step=Relation(guard, updates, tuple(self.inputs)), properties=self.flags,
            name=self.tops[0].node.name if self.tops else "nothing",
            positions={obligation.name: obligation.position for obligation in self.obligations},
        )

    def _name_obligations(self) -> None:
        taken: set[str] = set()
        for obligation in self.obligations:
            name, number = obligation.name, 1
            while obligation.name in taken:
                number += 1
                obligation.name = f"{name} ({number})"
            taken.add(obligation.name)

    def _complete(self) -> None:
        """Look at every stream of every instance, and give every memory its update."""
        while self._pending or self._asked < len(self.instances):
            while self._asked < len(self.instances):
                instance = self.instances[self._asked]
                self._asked += 1
                hidden = ("local",) if self._is_opaque(instance) else ()
                for name, (role, _, _) in instance.node.roles.items():
                    if role not in hidden:
                        self.stream(instance, name)
                self._contract(instance)
                if instance.node.separate and instance.top is not None:
                    self.unfold(instance)
            while self._pending:
                memory, argument, context = self._pending.pop()
                value = self.fit(self.value(argument, context), argument.type, context)
                self.remember(memory, value, context)

    # -- contracts and properties

    def _is_opaque(self, instance: Instance) -> bool:
        node = instance.node
        hidden = node.separate or node.name in self.abstract
        return node.imported or (hidden and instance.top is not None)

    def _oblige_top(self, top: Instance) -> None:
        node, context = top.node, top.context
        for clause in (*node.assumes,):
            self.give(self.term(clause.formula, context), context)
        for formula in node.asserts:
            self.give(self.term(formula, context), context)
        for clause in (*node.properties, *node.guarantees, *node.duties, *self.program.duties):
            if clause.reach is None:
                self.owe(
                    clause.name, self.term(clause.formula, context), context, clause.position, clause.formula
                )
            elif top in self.tops:
                self._reach(clause, top)
        for name, formula in (*node.modes, *node.conditions) if top in self.tops else ():
            self._reach(core.Clause(f"{name} is reachable", formula, formula.position, (0, None)), top)

    def _ask_for_a_run(self, top: Instance) -> None:
        """Where streams have two definitions: is there a run that keeps them, beyond the first instant? It
        is not asked where quantifiers or tables make runs hard to find: then both are assumed to hold."""
        doubled = [at for one in called(top.node) for at in one.doubled]
        hard = any(formula.quantified for formula in (*self.givens.get(top, ()), *self.definitions))
        hard = hard or any(isinstance(x.sort, ArraySort) for x in (*self.inputs, *self.updates))
        if doubled and not hard:
            some_run = core.Const(doubled[0], LUSTRE_BOOL, True)
            kept = core.Clause("a run that keeps both definitions", some_run, doubled[0], (1, None))
            self._reach(kept, top)

    def _reach(self, clause: core.Clause, top: Instance) -> None:
        """``check reachable``: a counterexample to its negation is what is wanted."""
        low, high = clause.reach or (0, None)
        formula = self.term(clause.formula, top.context)
        if low or high is not None:
            count = self.state("instant", INT)
            self.init.append(b.eq(count, b.integer(0)))
            last = max(low, -1 if high is None else high + 1)
            self.updates[count] = b.ite(count < last, count + 1, count)
            formula = b.and_(formula, count >= low, *([] if high is None else [count <= high]))
        self.obligations.append(Obligation(
            f"{top.prefix}{clause.name}", top, top, self.box_value(b.not_(formula)), clause.position,
            clause.formula, reach=True,
        ))

    def _contract(self, instance: Instance) -> None:
        """The caller owes the assumptions, a node with a body its guarantees and properties."""
        node, context = instance.node, instance.context
        if instance.top is None:
            return
        opaque = self._is_opaque(instance)
        if not opaque:
            for formula in node.asserts:
                self.give(self.term(formula, context), context)
        assumed = self._assumed(instance)
        for clause in node.assumes:
            name = f"assumption {clause.name}"
            self.owe(name, self.term(clause.formula, context), context, clause.position, clause.formula)
        for clause in node.guarantees:
            value = b.implies(assumed, self.term(clause.formula, context))
            if opaque:
                trusted = node.separate and not node.opaque
                self.give(b.implies(self.induction(instance), value), context, trusted)
            else:
                self.owe(clause.name, value, context, clause.position, clause.formula)
        own = (*node.duties, *node.properties) if not opaque else node.duties if node.imported else ()
        for clause in own:
            if clause.reach is None:
                value = b.implies(assumed, self.term(clause.formula, context))
                self.owe(clause.name, value, context, clause.position, clause.formula)

    def _assumed(self, instance: Instance) -> Term:
        """Have the assumptions held up to now? For a function, do they hold?"""
        node, context = instance.node, instance.context
        now = b.conjunction(self.term(clause.formula, context) for clause in node.assumes)
        if node.function or now is b.TRUE:
            return now
        kept = b.implies(context.clock, now)
        if kept is b.TRUE:
            return now
        before = self.state(f"{instance.prefix}assumed", BOOL)
        self.init.append(before)
        past = before if context.reset is b.FALSE else b.or_(context.first, before)
        self.updates[before] = b.ite(context.clock, b.and_(now, past), before)
        if context.reset is b.FALSE:
            self.updates[before] = b.and_(before, kept)
        return b.and_(now, past)

    # -- streams

    def stream(self, instance: Instance, name: str, path: tuple[int, ...] = ()) -> Value:
        key = (instance, name, path)
        found = self._streams.get(key)
        if found is not None:
            return found
        if key in self._open:
            self._refuse_loop(key)
        self._open[key] = None
        role, _, declared = instance.node.roles[name]
        hidden = role == "output" and self._is_opaque(instance)
        definition = None if hidden else instance.node.definitions.get(name)
        if role == "input":
            found = self._input(instance, declared, path)
        elif definition is None:
            found = self._open_stream(instance, declared, path)
        else:
            found = self._defined(instance, declared, definition, path)
        del self._open[key]
        self._streams[key] = found
        return found

    def known_stream(self, instance: Instance, name: str) -> Value | None:
        """The value of a stream, if it has been lowered."""
        return self._streams.get((instance, name, ()))

    def _defined(
        self, instance: Instance, stream: core.Stream, value: core.Expr, path: tuple[int, ...]
    ) -> Value:
        if path:
            return self.at_path(value, path, instance.context)
        type_ = plain(stream.type)
        if isinstance(type_, ArrayOf):
            size = self.length(type_, instance.context)
            if isinstance(size, int):  # one element may depend on another
                return tuple(self.stream(instance, stream.name, (k,)) for k in range(size))
            made = self._recursive(instance, stream, value, type_)
            if made is not None:
                return made
        return self.fit(self.value(value, instance.context), type_, instance.context)

    def _recursive(
        self, instance: Instance, stream: core.Stream, value: core.Expr, type_: ArrayOf
    ) -> Value | None:
        """An array of unknown size whose elements may depend on others: a new array that satisfies its
        definition."""
        if not isinstance(value, core.ArrayDef) or not any(
            isinstance(part, core.Var) and part.name == stream.name for part in subexpressions(value)
        ):
            return None
        made = Table(
            self.make(f"{instance.prefix}{stream.name}", type_.element, instance.context, self.input, (INT,)),
            (INT,),
        )
        self._streams[instance, stream.name, ()] = made
        return self.fill_definition(value, made, instance.context)

    def _input(self, instance: Instance, stream: core.Stream, path: tuple[int, ...]) -> Value:
        if instance.call is None or instance.caller is None:
            key = (instance, stream.name)
            if key not in self.input_values:
                variable = self.state if stream.constant else self.input
                made = self.make(f"{instance.prefix}{stream.name}", stream.type, instance.context, variable)
                self.input_values[key] = made
                valid = self.valid(stream.type, made, instance.context)
                self.give(valid, instance.context)
            return descend(self.input_values[key], path)
        argument = instance.call.arguments[instance.node.roles[stream.name][1]]
        if path:
            return self.at_path(argument, path, instance.caller)
        return self.fit(self.value(argument, instance.caller), stream.type, instance.context)

    def _open_stream(self, instance: Instance, stream: core.Stream, path: tuple[int, ...]) -> Value:
        """An output of an imported node, or a variable without a definition: any value."""
        if path:
            return descend(self.stream(instance, stream.name), path)
        node, context = instance.node, instance.context
        if node.function and instance.top is not None:
            arguments = [(s.type, self.stream(instance, s.name)) for s in node.inputs]
            found = self.applied(f"{node.name}.{stream.name}", arguments, stream.type, context)
        else:
            if context.bound:
                raise self.unsupported(f"a call of node {node.name} inside a quantifier", node.position)
            found = self.fresh(f"{instance.prefix}{stream.name}", stream.type, context)
            self.sources["stream", instance.path, stream.name, (), instance.top or instance] = (False, found)
        self.give(self.valid(stream.type, found, context), context)
        return found

    def _refuse_loop(self, key: tuple[Instance, str, tuple[int, ...]]) -> None:
        path = list(self._open)
        cycle = [*path[path.index(key) :], key]
        names = " -> ".join(
            f"{instance.prefix}{name}{''.join(f'[{k}]' for k in at)}" for instance, name, at in cycle
        )
        value = key[0].node.definitions.get(key[1])
        position = value.position if value else key[0].node.position
        raise InputError(
            f"a stream depends on itself within one instant: {names} (put a pre on the cycle)",
            position,
            self.program.line(position),
        )

    # -- calls

    def call_output(self, expr: core.Output, context: Context) -> Value:
        call = expr.call
        root = context.root
        child = self._child(call, root)
        found = self.stream(child, call.node.outputs[expr.index].name)
        self.owe_decrease(expr, context)
        if call.clock is None or call.defaults is None:
            return found
        key = (call, expr.index, root)
        if key not in self._held:
            memory = self.memory((call, expr.index), f"held.{expr.index}", expr.type, root)
            default = self.value(call.defaults[expr.index], context)
            active = self.term(call.clock, root)
            out = choice(active, found, choice(root.first, default, memory))
            self._held[key] = (memory, out)
            self.remember(memory, out, root)
        return self._held[key][1]

    def _child(self, call: core.Call, context: Context) -> Instance:
        found = self._children.get((call, context))
        if found is not None:
            return found
        caller = context.instance
        if context.bound and not call.node.function:
            raise self.unsupported(f"a call of node {call.node.name} inside a quantifier", call.position)
        found = Instance(
            call.node, caller.child_prefix(call.node.name), caller.top or caller, call, context,
            (*caller.path, (call, context.bindings)),
        )
        found.unfolded = caller.unfolded + (caller.node.separate and caller.top is not None)
        found.context = self._child_context(call, context, found)
        self._children[call, context] = found
        self.instances.append(found)
        caller.children.append(found)
        return found

    def _child_context(self, call: core.Call, context: Context, child: Instance) -> Context:
        clock, reset = context.clock, context.reset
        if call.clock is not None:
            clock = b.and_(clock, self.term(call.clock, context))
        if call.restart is not None:
            reset = b.or_(reset, b.and_(clock, self.term(call.restart, context)))
        made = Context(child, clock, lambda: b.FALSE, reset, bound=context.bound, domain=context.domain)
        if clock is context.clock:
            made.find_first = lambda: b.or_(reset, context.first)
        else:
            made.find_first = lambda: self.first_of(made)
        return made
