"""The interpreter on recursive functions: a call is evaluated for its arguments, once for each in an instant.

Where the measures of a call do not decrease, the function that makes it may have any value, as in the
lowering. What is owed inside of it is owed in the check of the function itself (``docs/lustre.md``), so
nobody looks at the contracts there.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from revet.frontends.lustre import core
from revet.frontends.lustre.interpret_quantifiers import Undecided
from revet.frontends.lustre.interpret_structures import Structures
from revet.frontends.lustre.types import Datatype, Type, plain
from revet.frontends.lustre.values import Data, same

if TYPE_CHECKING:
    from revet.frontends.lustre.interpret import Place

_DEPTH = 1_000  # calls within calls
_CALLS = 50_000  # within an instant


class Functions(Structures):
    def __init__(self) -> None:
        self._deep = 0
        self._calls = 0

    @abstractmethod
    def _callee(self, call: core.Call, place: Place) -> Place: ...

    @abstractmethod
    def _inside(self, node: core.Node, inputs: dict[str, Any]) -> Place: ...

    def applied(self, place: Place, stream: core.Stream) -> Any:
        """An output of a function that is checked separately."""
        node = place.node
        inputs = {s.name: self.stream(place, s.name) for s in node.inputs}
        self._deep += 1
        self._calls += 1
        if self._deep > _DEPTH or self._calls > _CALLS:
            raise Undecided(f"{node.name}, which calls itself too often")
        try:
            return self.stream(self._inside(node, inputs), stream.name)
        except _Endless:
            return self._anything(node, stream, inputs)
        finally:
            self._deep -= 1

    def _anything(self, node: core.Node, stream: core.Stream, inputs: Mapping[str, Any]) -> Any:
        arguments = [(s.type, inputs[s.name]) for s in node.inputs]
        return self.oracle.function(f"{node.name}.{stream.name}", arguments, stream.type)

    def endless(self, expr: core.Output, place: Place) -> Any:
        """The value of a call whose measures do not decrease: the function in whose body it stands may be
        anything for its arguments, and the call itself where the body is that of the top node."""
        if place.silent:
            raise _Endless
        decrease, callee = expr.call.decrease, self._callee(expr.call, place)
        if decrease is not None and decrease is self.watched:
            self.false.add((place.path, decrease))
        inputs = {s.name: self.stream(callee, s.name) for s in callee.node.inputs}
        return self._anything(callee.node, callee.node.outputs[expr.index], inputs)

    def smaller(self, expr: core.Decrease, place: Place) -> bool:
        callee = self._callee(expr.call, place)
        caller = self._base(place)
        for there, here in zip(expr.call.node.measure, caller.node.measure, strict=True):
            new, old = self.evaluate(there, callee), self.evaluate(here, caller)
            if _less(here.type, new, old):
                return True
            if not same(here.type, new, old):
                return False
        return False


class _Endless(Exception):
    """A call whose measures do not decrease."""


def _less(type_: Type, new: Any, old: Any) -> bool:
    if isinstance(plain(type_), Datatype):
        return any(part == new or _less(type_, new, part) for part in old.fields if isinstance(part, Data))
    return bool(new < old and old >= 0)
