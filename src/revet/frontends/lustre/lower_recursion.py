"""Lowering of recursive functions and lemmas.

A function of a family is checked once, as a top node with any inputs that its assumptions allow: its
guarantees, the assumptions of what it calls, and that measures decrease (*own check*). Elsewhere a call is an
entry of a table that never changes, of which is known

* what the contract says, if the assumptions hold, and within the own check of the same family only where the
  measures are smaller: the induction hypothesis;
* the equation of the body at the arguments of the call, if the measures decrease in it, and so on for the
  calls in the body, some levels deep.

There is such a table whatever the program says: where measures decrease, the body defines it by
well-founded recursion, elsewhere it may be anything. So no proof rests on a contradiction, and if all own
checks succeed, the contracts hold for every argument by induction. What relies on them is shown only together
with the own checks (:meth:`.LustreProgram.restricted_to`).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from revet.frontends.lustre import core
from revet.frontends.lustre.lower_context import Context, Instance
from revet.frontends.lustre.lower_expressions import Lowered
from revet.frontends.lustre.shapes import Value, select, terms
from revet.frontends.lustre.types import Datatype, Type, plain
from revet.frontends.lustre.walk import called
from revet.logic import build as b
from revet.logic.sorts import BOOL
from revet.logic.terms import Term

_LEVELS = 8  # of bodies that are unfolded
_CALLS = 40  # from which on only calls with constants are unfolded
_CONSTANT_CALLS = 600


def separate_functions(tops: Sequence[core.Node]) -> list[core.Node]:
    """The functions and lemmas below the top nodes that are checked on their own."""
    found = dict.fromkeys(node for top in tops for node in called(top) if node.separate)
    return [node for node in found if node not in tops]


class Recursion(Lowered):
    def __init__(self, program: core.Program) -> None:
        super().__init__(program)
        self._unfolded: set[tuple[object, ...]] = set()
        self._owed: set[tuple[core.Call, Context]] = set()

    @abstractmethod
    def _child(self, call: core.Call, context: Context) -> Instance: ...

    # -- measures

    def smaller(self, expr: core.Decrease, context: Context) -> Term:
        """That the measures of a call are smaller than the caller's, in lexicographic order."""
        caller = context.instance
        child = self._child(expr.call, context.root)
        less, equal = b.FALSE, b.TRUE
        for there, here in zip(expr.call.node.measure, caller.node.measure, strict=True):
            new, old = self.value(there, child.context), self.value(here, caller.context)
            less = b.or_(less, b.and_(equal, self._less(here.type, new, old)))
            equal = b.and_(equal, self.equal(here.type, new, old, context))
        return less

    def _less(self, type_: Type, new: Value, old: Value) -> Term:
        assert isinstance(new, Term) and isinstance(old, Term)
        data = plain(type_)
        if isinstance(data, Datatype):
            size = self.code_tables(data).size
            return b.and_(select(size, (new,)) < select(size, (old,)), select(size, (old,)) >= 0)
        return b.and_(new < old, old >= 0)

    def owe_decrease(self, expr: core.Output, context: Context) -> None:
        decrease, at = expr.call.decrease, expr.call.position
        if decrease is None or (expr.call, context) in self._owed:
            return
        self._owed.add((expr.call, context))
        name = f"{expr.call.node.name} decreases at {at.line}:{at.column}"
        self.owe(name, self.term(decrease, context), context, at, decrease, decrease)

    def induction(self, instance: Instance) -> Term:
        """When a contract may be relied on: always outside of the own checks of the family, else where
        measures have become smaller since the beginning."""
        top = instance.top
        if top is None or instance.node not in top.node.family:
            return b.TRUE
        assert instance.call is not None and instance.caller is not None
        decrease = instance.call.decrease
        assert decrease is not None
        here = self.term(decrease, instance.caller)
        caller = instance.caller.instance
        return here if caller is top else b.and_(here, self.induction(caller))

    def relied_on(self, top: Instance) -> Term:
        """That the contracts of separate functions have held so far; what is to be reached does without, so
        that its answer stands alone."""
        trusted = b.conjunction(self.trusted.get(top, []))
        if trusted is b.TRUE:
            return trusted
        flag = self.state(f"{top.prefix}trusted", BOOL)
        self.init.append(flag)
        now = self.updates[flag] = b.and_(flag, self.box_value(trusted))
        return now

    # -- bodies

    def unfold(self, instance: Instance) -> None:
        """Say what the body says about a call, if that is not too deep."""
        node, context = instance.node, instance.context
        arguments = [term for s in node.inputs for term in terms(self.stream(instance, s.name))]
        constant = all(term.is_const for term in arguments)
        most = _CONSTANT_CALLS if constant else _CALLS
        if len(self._unfolded) >= most or (not constant and instance.unfolded >= _LEVELS):
            return
        if context.bound and instance.unfolded:
            return
        key = (node, context.clock, context.bound, *arguments)
        if key in self._unfolded or not node.family:
            return
        self._unfolded.add(key)
        same = []
        for stream in node.outputs:
            definition = node.definitions.get(stream.name)
            if definition is not None:
                body = self.fit(self.value(definition, context), stream.type, context)
                same.append(self.equal(stream.type, self.stream(instance, stream.name), body, context))
        ends = [
            b.implies(child.context.clock, self.term(child.call.decrease, child.caller))
            for child in instance.children
            if child.call and child.caller and child.call.decrease is not None
        ]
        self.give(b.implies(b.conjunction(ends), b.conjunction(same)), context)
