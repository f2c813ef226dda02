"""Which streams depend on which within an instant; no stream may depend on itself."""

from __future__ import annotations

from collections.abc import Callable

from revet.errors import InputError
from revet.frontends.lustre.core import At, Expr, Node, Output, Pre, Var
from revet.frontends.lustre.types import ArrayOf
from revet.frontends.lustre.walk import children


class Causality:
    """Dependencies within an instant, node by node; elements of arrays are left to the lowering, which
    looks at them one by one."""

    def __init__(self, error: Callable[..., InputError]) -> None:
        self._error = error
        self._inputs: dict[tuple[Node, str], frozenset[str]] = {}

    def check(self, node: Node) -> None:
        """Refuse a cycle among the streams of a node."""
        done: set[str] = set()
        for stream in node.streams:
            self._visit(node, stream.name, {}, done)

    def _visit(self, node: Node, name: str, path: dict[str, None], done: set[str]) -> None:
        if name in path:
            names = list(path)
            cycle = " -> ".join([*names[names.index(name) :], name])
            position = node.definitions[name].position
            raise self._error(
                f"a stream depends on itself within one instant: {cycle} (put a pre on the cycle)", position
            )
        if name in done or name not in node.definitions:
            return
        path[name] = None
        for other in sorted(self.direct(node.definitions[name])):
            self._visit(node, other, path, done)
        del path[name]
        done.add(name)

    def direct(self, *roots: Expr) -> set[str]:
        """The node's streams that the expressions look at within the instant."""
        found: set[str] = set()
        seen: set[Expr] = set()
        todo: list[Expr] = list(roots)
        while todo:
            expr = todo.pop()
            if expr in seen or isinstance(expr, Pre):
                continue
            seen.add(expr)
            match expr:
                case Var(name=name):
                    found.add(name)
                case At(argument=Var(type=ArrayOf()), index=index):
                    todo.append(index)
                case Output(call=call, index=index):
                    needed = self.inputs(call.node, call.node.outputs[index].name)
                    todo += [
                        argument
                        for stream, argument in zip(call.node.inputs, call.arguments, strict=True)
                        if stream.name in needed
                    ]
                    todo += [part for part in (call.clock, call.restart) if part is not None]
                    todo += [call.defaults[index]] if call.defaults else []
                case _:
                    todo += children(expr)
        return found

    def inputs(self, node: Node, name: str) -> frozenset[str]:
        """The inputs on which a stream of a node depends within an instant."""
        key = (node, name)
        if key not in self._inputs:
            names = {stream.name for stream in node.inputs}
            if node.imported or node.recursive:
                self._inputs[key] = frozenset(names)
            else:
                self._inputs[key] = frozenset()  # while it is being found out
                reached = self.all(node, [name])
                self._inputs[key] = frozenset(names & reached)
        return self._inputs[key]

    def all(self, node: Node, names: list[str]) -> set[str]:
        """All streams of the node that these depend on within an instant, with themselves."""
        reached: set[str] = set()
        todo = list(names)
        while todo:
            one = todo.pop()
            if one not in reached:
                reached.add(one)
                if one in node.definitions:
                    todo += self.direct(node.definitions[one])
        return reached
