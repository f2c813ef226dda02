"""``setjmp`` and ``longjmp`` in the model (:mod:`revet.frontends.c.reader.jumps`).

Functions are copied at their calls, so the places that a ``longjmp`` may go to are known: the calls of
``setjmp`` in the copies that it is inside of. Each has a number, a location behind it and a variable for what
it returns. With another number the behaviour is undefined, and the model ends.
"""

from __future__ import annotations

from dataclasses import dataclass

from revet.frontends.c import ast
from revet.frontends.c.lower.context import Context, Frame
from revet.frontends.c.lower.flow import Loop
from revet.frontends.c.reader.jumps import MARK, SET
from revet.frontends.c.types import Int
from revet.frontends.c.walk import all_expressions
from revet.logic import build as b
from revet.logic.terms import Term
from revet.model.cfa import Location


@dataclass(frozen=True, slots=True)
class Site:
    """A call of ``setjmp`` in one copy of its function."""

    number: int
    behind: Location
    returned: Term


class Jumps:
    def __init__(self, context: Context) -> None:
        self._context = context
        self._count = 0
        self._setting: dict[str, list[ast.Call]] = {}  # the calls of setjmp in a function
        self._number = 0

    def set(self, name: str, node: ast.Call, wanted: bool) -> Term:
        """``setjmp`` returns 0 here, and something else when it is jumped to."""
        context = self._context
        site = self._site(context.frame, node)
        self._number = site.number
        context.expressions.effect(node.arguments[0])
        context.flow.assign(site.returned, context.expressions.zero(node.type))
        context.flow.start(site.behind)
        return site.returned

    def mark(self, name: str, node: ast.Call, wanted: bool) -> Term:
        """The number of the call of ``setjmp`` that is being made."""
        assert isinstance(node.type, Int) and name == MARK
        return self._context.arithmetic.constant(node.type, self._number)

    def leave(self, name: str, node: ast.Call, wanted: bool) -> Term | None:
        """``longjmp``: one branch for every place that it may go to."""
        context = self._context
        if context.calls.recorded is not None:
            raise context.unsupported(node.at, "longjmp in a recursive function")
        number, value = (context.expressions.saved(argument) for argument in node.arguments)
        zero, one = (context.arithmetic.constant(context.model.int, each) for each in (0, 1))
        value = b.ite(b.eq(value, zero), one, value)
        type = node.arguments[0].type
        assert isinstance(type, Int)
        for place, frame in enumerate(context.frames):
            for call in self._calls(frame.function):
                site = self._site(frame, call)
                chosen, other = (context.flow.split(context.function) for _ in range(2))
                wanted_number = context.arithmetic.constant(type, site.number)
                context.flow.branch(b.eq(number, wanted_number), chosen, other)
                context.flow.resume(chosen)
                self._unwind(place)
                context.flow.assign(site.returned, value)
                context.flow.loops.setdefault(
                    site.behind, Loop(frame.function.name, call.at, frame.depth, label=True)
                )
                context.flow.jump(site.behind)
                context.flow.resume(other)
        context.flow.jump(context.open_end(f"longjmp to no active setjmp at {node.at}", node.at))
        return None

    def _site(self, frame: Frame, node: ast.Call) -> Site:
        found = frame.sites.get(node)
        if found is None:
            context = self._context
            name = frame.function.name
            self._count += 1
            owner = ("setjmp", self._count)
            returned = context.symbols.temporary(owner, frame.depth, name, "setjmp", context.model.int)
            behind = context.flow.location(name, node.at, ":setjmp")
            found = frame.sites[node] = Site(self._count, behind, returned)
        return found

    def _calls(self, function: ast.FunctionDef) -> list[ast.Call]:
        found = self._setting.get(function.name)
        if found is None:
            found = self._setting[function.name] = [
                call for call in all_expressions(function.body)
                if isinstance(call, ast.Call) and isinstance(call.function, ast.FunctionRef)
                and call.function.name == SET
            ]
        return found

    def _unwind(self, place: int) -> None:
        """The activations above this one end."""
        context = self._context
        if context.objects is None:
            return
        dangling = context.objects.dangling
        target = context.frames[place].function
        if any(variable in dangling.variables for variable in dangling.extents[target.name].scopes):
            what = f"longjmp into {target.name}(), the lives of whose variables are checked"
            raise context.unsupported(target.position, what)
        for frame in reversed(context.frames[place + 1 :]):
            context.objects.returned(frame.function, frame.depth)
