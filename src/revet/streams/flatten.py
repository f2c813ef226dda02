"""From streams to single steps: no drops, no variables, and every delay a buffer of cells.

``[1, 1] @ (fib + fib.drop(1))`` becomes two cells; their values now are ``c0`` and ``c1``, and the
next values are ``c0' = c1`` and ``c1' = c0 + c1``. That is the form of which the transition system
and the C code are made.

:func:`flatten` walks every stream "k instants ahead", for k = 0 at first; a drop adds to k, a delay
turns k into a cell. A walk that comes back to where it is has found an instantaneous loop, and one
that arrives at an extern or behind the end of a buffer with k > 0 asks for the future.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from revet.errors import Position
from revet.streams.core import Apply, Cell, Delay, Drop, Extern, Node, Variable
from revet.streams.places import StreamError, error

Ahead = tuple[Node, int]


@dataclass(eq=False)
class Flat:
    """``roots`` in the order asked for; ``updates`` give what enters each delay's buffer.

    All expressions are made of constants, externs, cells and operators, shared where the
    specification shares them. ``externs`` has one node per name; ``labels`` are the names that the
    specification gives to what is computed.
    """

    roots: list[Node]
    updates: dict[Delay, Node]
    externs: dict[str, Extern]
    names: dict[Delay, str] = field(default_factory=dict)
    labels: dict[Node, list[str]] = field(default_factory=dict)


def flatten(roots: Sequence[Node]) -> Flat:
    return _Flattening().run(roots)


class _Flattening:
    def __init__(self) -> None:
        self.done: dict[Ahead, Node] = {}
        self.externs: dict[str, Extern] = {}
        self._wholes: dict[str, Extern] = {}
        self.updates: dict[Delay, Node] = {}
        self.names: dict[Delay, str] = {}
        self.labels: dict[Node, list[str]] = {}
        self._delays: list[Delay] = []
        self._drop: Position | None = None  # where the user wrote the last drop met

    def run(self, roots: Sequence[Node]) -> Flat:
        flat_roots = [self.walk((root, 0)) for root in roots]
        met = 0
        while met < len(self._delays):
            delay = self._delays[met]
            self.updates[delay] = self.walk((delay.source, 0))
            met += 1
        externs = dict(sorted(self.externs.items(), key=lambda item: item[1].order))
        return Flat(flat_roots, self.updates, externs, self._unique_names(), self.labels)

    def walk(self, start: Ahead) -> Node:
        """Iterative: metaprograms nest deep. ``open_`` is the path from the start, in order."""
        stack: list[Ahead] = [start]
        open_: dict[Ahead, None] = {}
        variables: set[Node] = set()  # those on the path
        while stack:
            ahead = stack[-1]
            if ahead in self.done:
                stack.pop()
                continue
            missing = [child for child in self.needs(ahead) if child not in self.done]
            if not missing:
                stack.pop()
                open_.pop(ahead, None)
                variables.discard(ahead[0])
                self.done[ahead] = self.make(ahead)
                continue
            open_[ahead] = None
            if isinstance(ahead[0], Variable):
                variables.add(ahead[0])
            for child in missing:
                # With a larger k it is the same loop, looking ever further ahead.
                if child in open_ or child[0] in variables:
                    raise self._loop(child, open_)
            stack.append(missing[0])
        return self.done[start]

    def needs(self, ahead: Ahead) -> list[Ahead]:
        node, k = ahead
        match node:
            case Apply():
                return [(arg, k) for arg in node.args]
            case Drop():
                self._drop = node.place
                return [(node.source, k + node.count)]
            case Variable():
                if node.definition is None:
                    raise error(f"stream {node.name or ''} is declared and never defined", node.place)
                return [(node.definition, k)]
            case Delay() if k >= len(node.buffer):
                raise error(
                    f"drop {k} reaches beyond a buffer of {len(node.buffer)}: those values are "
                    "not known yet (give the delay more initial values)",
                    self._drop,
                )
            case Extern() if k > 0:
                raise error(f"drop {k} of extern {node.name}: its future is not known", self._drop)
        return []

    def make(self, ahead: Ahead) -> Node:
        node, k = ahead
        match node:
            case Apply():
                args = tuple(self.done[arg, k] for arg in node.args)
                same = all(new is old for new, old in zip(args, node.args, strict=True))
                return node if same else Apply(node.type, node.place, node.operator, args)
            case Drop():
                return self.done[node.source, k + node.count]
            case Variable(definition=Node() as definition):
                if isinstance(definition, Delay) and node.name:
                    self.names.setdefault(definition, node.name)
                if k == 0 and node.name:
                    self.labels.setdefault(self.done[definition, 0], []).append(node.name)
                return self.done[definition, k]
            case Delay():
                if node not in self.updates and (node, -1) not in self.done:
                    self.done[node, -1] = node  # queued
                    self._delays.append(node)
                return Cell(node, k)
            case Extern():
                return self._extern(node)
        return node

    def _extern(self, node: Extern) -> Extern:
        whole = self._wholes.setdefault(node.variable, node)
        if whole.whole != node.whole:
            raise error(
                f"extern {node.variable} is a {node.whole} here and a {whole.whole} at {whole.place}",
                node.place,
            )
        return self.externs.setdefault(node.name, node)

    def _loop(self, child: Ahead, open_: dict[Ahead, None]) -> StreamError:
        path = [node for node, _ in open_]
        cycle = [node for node in path[path.index(child[0]) :] if isinstance(node, Variable)]
        names = [node.name or f"the stream of line {node.place.line}" for node in cycle]
        shown = " -> ".join([*names, names[0]]) if names else "a stream"
        return error(
            f"instantaneous loop: {shown} (a stream may depend on its own past only: delay it "
            "with [value] @ stream)",
            cycle[0].place if cycle else child[0].place,
        )

    def _unique_names(self) -> dict[Delay, str]:
        names: dict[Delay, str] = {}
        taken: set[str] = set(self.externs)
        for delay in self.updates:
            stem = self.names.get(delay, "s")
            name, number = stem, 0
            while name in taken or name == "s":
                name, number = f"{stem}{number}", number + 1
            taken.add(name)
            names[delay] = name
        return names


def schedule(roots: Sequence[Node]) -> list[Node]:
    """The nodes of flat expressions, arguments before what uses them."""
    order: list[Node] = []
    seen: set[Node] = set()
    stack: list[tuple[Node, bool]] = [(root, False) for root in reversed(roots)]
    while stack:
        node, ready = stack.pop()
        if ready:
            order.append(node)
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack.extend((child, False) for child in reversed(node.children))
    return order
