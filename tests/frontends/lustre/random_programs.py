"""Random Lustre programs with clocks, contracts, records and arrays, and what they mean.

Every expression is made with two faces: its text, and a Python function that computes it from the values
of its node at an instant. The second is a semantics of its own: a node's instance is an object that
is stepped when its clock holds and replaced by a new one when it is restarted. It shares nothing with
the passes of the front end, which rewrite all of this into plain Lustre.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

Value = Any  # bool, int, {"x": …, "b": …} or a list of three integers
KINDS = ("int", "bool", "int8", "light", "point", "row")
LIGHTS = ("red", "green", "off")
ZERO: dict[str, Value] = {
    "int": 0, "bool": False, "int8": 0, "light": 0, "point": {"x": 0, "b": False}, "row": [0, 0, 0]
}
HEADER = """\
type light = enum { red, green, off };
type point = struct { x: int; b: bool };
type row = int ^ 3;
"""


@dataclass(eq=False)
class Fragment:
    """An expression: how it is written and how it is computed."""

    text: str
    run: Callable[[Instance], Value]


@dataclass(eq=False)
class NodeModel:
    name: str
    inputs: list[tuple[str, str]]  # name and kind
    outputs: list[tuple[str, str]]
    definitions: dict[str, Fragment] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    memories: list[tuple[object, Fragment]] = field(default_factory=list)
    assumes: list[tuple[str, Fragment]] = field(default_factory=list)
    guarantees: list[tuple[str, Fragment]] = field(default_factory=list)
    modes: list[tuple[str, Fragment, Fragment]] = field(default_factory=list)
    contract: str = ""

    def text(self) -> str:
        def declared(names: list[tuple[str, str]]) -> str:
            return "; ".join(f"{name}: {kind}" for name, kind in names)

        outside = {name for name, _ in (*self.inputs, *self.outputs)}
        locals_ = [(name, self.kinds[name]) for name in self.definitions if name not in outside]
        inside = [(name, kind) for name, kind in locals_ if name != "ghost"]
        body = "\n".join(f"  {name} = {e.text};" for name, e in self.definitions.items() if name != "ghost")
        variables = f"var {declared(inside)};\n" if inside else ""
        return (
            f"node {self.name}({declared(self.inputs)}) returns ({declared(self.outputs)});\n"
            f"{self.contract}{variables}let\n{body}\ntel\n"
        )


class Instance:
    """A node that runs. ``broken`` counts the obligations that are false at this instant."""

    def __init__(self, node: NodeModel, broken: Counter[tuple[str, str]]) -> None:
        self.node = node
        self.broken = broken
        self.first = True
        self.memory: dict[object, Value] = {}
        self.children: dict[object, Instance] = {}
        self.held: dict[object, Value] = {}
        self.now: dict[object, Value] = {}
        self.assumed = True

    def __getitem__(self, name: str) -> Value:
        if name not in self.now:
            self.now[name] = self.node.definitions[name].run(self)
        return self.now[name]

    def once(self, key: object, compute: Callable[[], Value]) -> Value:
        """Computed once an instant: a call that is looked at twice is stepped once."""
        if key not in self.now:
            self.now[key] = compute()
        return self.now[key]

    def step(self, arguments: dict[str, Value]) -> dict[str, Value]:
        self.now = dict(arguments)
        result = {name: self[name] for name in (*arguments, *self.node.definitions)}
        self._contract()
        after = {key: inner.run(self) for key, inner in self.node.memories}
        self.memory = after
        self.first = False
        return result

    def _contract(self) -> None:
        node = self.node
        values = {name: formula.run(self) for name, formula in node.assumes}
        self.assumed = self.assumed and all(values.values())
        for name, value in values.items():
            self.broken[node.name, f"assumption {name}"] += not value
        promised = {name: formula.run(self) for name, formula in node.guarantees}
        required = [require.run(self) for _, require, _ in node.modes]
        for (name, _, ensure), active in zip(node.modes, required, strict=True):
            promised[f"{name}: e"] = not active or ensure.run(self)
        if node.modes:
            promised["one mode is active"] = any(required)
        for name, value in promised.items():
            self.broken[node.name, name] += self.assumed and not value


def call(key: object, node: NodeModel, self: Instance, arguments: list[Value], restart: bool) -> Value:
    if restart or key not in self.children:
        self.children[key] = Instance(node, self.broken)
    given = {name: value for (name, _), value in zip(node.inputs, arguments, strict=True)}
    return self.children[key].step(given)[node.outputs[0][0]]


def wrap(value: int) -> int:
    return (value + 128) % 256 - 128


class Programs:
    """Draws programs; the same seed draws the same ones."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.nodes: list[NodeModel] = []

    def program(self) -> tuple[str, NodeModel]:
        """The text, and the main node."""
        for number in range(self.random.randint(2, 4)):
            self._leaf(f"n{number}")
        main = NodeModel("main", [(f"i{n}", kind) for n, kind in enumerate(KINDS)], [("o", "int")])
        self._fill(main, self.random.randint(5, 9), "o")
        text = HEADER + "".join(node.text() for node in (*self.nodes, main))
        return text, main

    def _leaf(self, name: str) -> None:
        kinds = [self.random.choice(KINDS) for _ in range(self.random.randint(1, 3))]
        inputs = [(f"a{n}", kind) for n, kind in enumerate(kinds)]
        node = NodeModel(name, inputs, [("o", self.random.choice(KINDS))])
        self._fill(node, self.random.randint(1, 3), "o")
        if self.random.random() < 0.6:
            self._contract(node)
        self.nodes.append(node)

    def _fill(self, node: NodeModel, locals_: int, output: str) -> None:
        node.kinds = dict((*node.inputs, *node.outputs))
        names = [f"v{n}" for n in range(locals_)]
        node.kinds.update({name: self.random.choice(KINDS) for name in names})
        later = [*names, output]
        known = [name for name, _ in node.inputs]
        for name in later:
            node.definitions[name] = _Draw(self, node, known).expression(node.kinds[name], 3)
            known.append(name)

    def _contract(self, node: NodeModel) -> None:
        visible = [name for name, _ in (*node.inputs, *node.outputs)]
        ghost = _Draw(self, node, visible, calls=False).expression("int", 2)
        node.definitions["ghost"], node.kinds["ghost"] = ghost, "int"
        draw = _Draw(self, node, [*visible, "ghost"], calls=False)
        lines = [f"var ghost: int = {ghost.text};"]
        inputs = [name for name, _ in node.inputs]
        for kind in range(self.random.randint(0, 2)):
            formula = _Draw(self, node, inputs, calls=False).expression("bool", 2)
            node.assumes.append((f"A{kind}", formula))
            lines.append(f'assume "A{kind}" {formula.text};')
        for number in range(self.random.randint(1, 2)):
            formula = draw.expression("bool", 2)
            node.guarantees.append((f"G{number}", formula))
            lines.append(f'guarantee "G{number}" {formula.text};')
        for number in range(self.random.randint(0, 2)):
            require = _Draw(self, node, inputs, calls=False).expression("bool", 1)
            ensure = draw.expression("bool", 2)
            node.modes.append((f"m{number}", require, ensure))
            lines.append(f'mode m{number} ( require {require.text}; ensure "e" {ensure.text}; );')
        node.contract = "(*@contract\n  " + "\n  ".join(lines) + "\n*)\n"


class _Draw:
    """Expressions of one node; ``known`` can be read within the instant."""

    def __init__(self, programs: Programs, node: NodeModel, known: list[str], calls: bool = True) -> None:
        self.programs = programs
        self.random = programs.random
        self.node = node
        self.known = list(known)
        self.calls = calls

    def expression(self, kind: str, depth: int) -> Fragment:
        if depth <= 0 or self.random.random() < 0.15:
            return self._atom(kind)
        shapes = [self._choice, self._delay, self._own, self._own, self._merge]
        if self.calls and any(node.outputs[0][1] == kind for node in self.programs.nodes):
            shapes += [self._call, self._activate, self._restart, self._merged_call]
        return self.random.choice(shapes)(kind, depth - 1)

    def _atom(self, kind: str) -> Fragment:
        names = [name for name in self.known if self.node.kinds[name] == kind]
        if names and self.random.random() < 0.75:
            name = self.random.choice(names)
            return Fragment(name, lambda self: self[name])
        return self._constant(kind)

    def _constant(self, kind: str) -> Fragment:
        number = self.random.randint(-3, 5)
        match kind:
            case "int":
                return Fragment(f"({number})", lambda self: number)
            case "bool":
                return Fragment("true" if number > 0 else "false", lambda self: number > 0)
            case "int8":
                return Fragment(f"int8({number})", lambda self: number)
            case "light":
                return Fragment(LIGHTS[number % 3], lambda self: number % 3)
            case "point":
                x, b = self._atom("int"), self._atom("bool")
                return Fragment(
                    f"point {{ x = {x.text}; b = {b.text} }}",
                    lambda self: {"x": x.run(self), "b": b.run(self)},
                )
        if number > 2:
            part = self._atom("int")
            return Fragment(f"({part.text} ^ 3)", lambda self: [part.run(self)] * 3)
        items = [self._atom("int") for _ in range(3)]
        return Fragment(
            "[" + ", ".join(item.text for item in items) + "]",
            lambda self: [item.run(self) for item in items],
        )

    def _choice(self, kind: str, depth: int) -> Fragment:
        c, x, y = self.expression("bool", depth), self.expression(kind, depth), self.expression(kind, depth)

        def run(self: Instance) -> Value:
            values = y.run(self), x.run(self)
            return values[bool(c.run(self))]

        return Fragment(f"(if {c.text} then {x.text} else {y.text})", run)

    def _delay(self, kind: str, depth: int) -> Fragment:
        now = self.expression(kind, depth)
        visible = list(self.node.kinds) if self.calls else self.known
        before = _Draw(self.programs, self.node, visible, self.calls).expression(kind, depth - 1)
        key = object()
        self.node.memories.append((key, before))

        def run(self: Instance) -> Value:
            value = now.run(self)
            return value if self.first else self.memory[key]

        spelling = f"({now.text} fby {before.text})" if self.random.random() < 0.2 else (
            f"({now.text} -> pre {before.text})"
        )
        return Fragment(spelling, run)

    def _own(self, kind: str, depth: int) -> Fragment:
        """An operator of the kind itself."""
        match kind:
            case "int":
                return self._integer(depth)
            case "bool":
                return self._boolean(depth)
            case "int8":
                x, y = self.expression("int8", depth), self.expression("int8", depth)
                operator = self.random.choice("+-*")
                return Fragment(
                    f"({x.text} {operator} {y.text})",
                    lambda self: wrap(_ARITHMETIC[operator](x.run(self), y.run(self))),
                )
        return self._choice(kind, depth)

    def _integer(self, depth: int) -> Fragment:
        form = self.random.randint(0, 5)
        if form == 0:
            p = self.expression("point", depth)
            if not p.text.isidentifier():
                return self._atom("int")
            return Fragment(f"{p.text}.x", lambda self: p.run(self)["x"])
        if form == 1:
            names = [name for name in self.known if self.node.kinds[name] == "row"]
            if not names:
                return self._atom("int")
            name, index = self.random.choice(names), self.expression("int", depth)
            return Fragment(f"{name}[{index.text} mod 3]", lambda self: self[name][index.run(self) % 3])
        if form == 2:
            x, n = self.expression("int", depth), self.random.randint(2, 5)
            return Fragment(f"({x.text} mod {n})", lambda self: x.run(self) % n)
        x, y = self.expression("int", depth), self.expression("int", depth)
        operator = self.random.choice("+-")
        return Fragment(
            f"({x.text} {operator} {y.text})", lambda self: _ARITHMETIC[operator](x.run(self), y.run(self))
        )

    def _boolean(self, depth: int) -> Fragment:
        form = self.random.randint(0, 3)
        if form == 0:
            p = self.expression("bool", depth)
            return Fragment(f"(not {p.text})", lambda self: not p.run(self))
        if form == 1:
            p, q = self.expression("bool", depth), self.expression("bool", depth)
            operator = self.random.choice(("and", "or", "xor", "=>"))
            return Fragment(
                f"({p.text} {operator} {q.text})", lambda self: _LOGIC[operator](p.run(self), q.run(self))
            )
        if form == 2:
            kind = self.random.choice(("int", "int8"))
            x, y = self.expression(kind, depth), self.expression(kind, depth)
            return Fragment(f"({x.text} < {y.text})", lambda self: x.run(self) < y.run(self))
        kind = self.random.choice(KINDS)
        x, y = self._atom(kind), self._atom(kind)
        if kind in ("point", "row") and not x.text.isidentifier():
            return self._atom("bool")
        return Fragment(f"({x.text} = {y.text})", lambda self: x.run(self) == y.run(self))

    def _merge(self, kind: str, depth: int) -> Fragment:
        lights = [name for name in self.known if self.node.kinds[name] == "light"]
        if lights and self.random.random() < 0.5:
            clock = self.random.choice(lights)
            branches = [self.expression(kind, depth) for _ in LIGHTS]
            text = " ".join(
                f"({name} -> {e.text} when {name}({clock}))"
                for name, e in zip(LIGHTS, branches, strict=True)
            )

            def run(self: Instance) -> Value:
                return [branch.run(self) for branch in branches][self[clock]]

            return Fragment(f"(merge {clock} {text})", run)
        clocks = [name for name in self.known if self.node.kinds[name] == "bool"]
        if not clocks:
            return self._atom(kind)
        clock = self.random.choice(clocks)
        yes, no = self.expression(kind, depth), self.expression(kind, depth)

        def choose(self: Instance) -> Value:
            values = no.run(self), yes.run(self)
            return values[bool(self[clock])]

        return Fragment(f"merge({clock}; {yes.text} when {clock}; {no.text} when not {clock})", choose)

    def _callee(self, kind: str) -> NodeModel:
        return self.random.choice([n for n in self.programs.nodes if n.outputs[0][1] == kind])

    def _arguments(self, callee: NodeModel, depth: int) -> list[Fragment]:
        return [self.expression(kind, depth - 1) for _, kind in callee.inputs]

    def _call(self, kind: str, depth: int) -> Fragment:
        callee, key = self._callee(kind), object()
        given = self._arguments(callee, depth)

        def run(self: Instance) -> Value:
            return self.once(key, lambda: call(key, callee, self, [g.run(self) for g in given], False))

        return Fragment(f"{callee.name}({', '.join(g.text for g in given)})", run)

    def _restart(self, kind: str, depth: int) -> Fragment:
        callee, key = self._callee(kind), object()
        given, condition = self._arguments(callee, depth), self.expression("bool", depth)

        def run(self: Instance) -> Value:
            def compute() -> Value:
                values = [g.run(self) for g in given]
                return call(key, callee, self, values, condition.run(self))

            return self.once(key, compute)

        arguments = ", ".join(g.text for g in given)
        return Fragment(f"(restart {callee.name} every {condition.text})({arguments})", run)

    def _activate(self, kind: str, depth: int) -> Fragment:
        callee, key = self._callee(kind), object()
        given, clock = self._arguments(callee, depth), self.expression("bool", depth)
        default = self._atom(kind)

        def run(self: Instance) -> Value:
            def compute() -> Value:
                values, otherwise = [g.run(self) for g in given], default.run(self)
                if clock.run(self):
                    self.held[key] = call(key, callee, self, values, False)
                return self.held.setdefault(key, otherwise)  # the default of the first instant is kept

            return self.once(key, compute)

        arguments = ", ".join(g.text for g in given)
        return Fragment(
            f"(activate {callee.name} every {clock.text} initial default {default.text})({arguments})", run
        )

    def _merged_call(self, kind: str, depth: int) -> Fragment:
        clocks = [name for name in self.known if self.node.kinds[name] == "bool"]
        if not clocks or kind in ("point", "row"):  # of activated calls with several parts: refused
            return self._call(kind, depth)
        clock, callee, key = self.random.choice(clocks), self._callee(kind), object()
        given, other = self._arguments(callee, depth), self.expression(kind, depth)

        def run(self: Instance) -> Value:
            def compute() -> Value:
                values, otherwise = [g.run(self) for g in given], other.run(self)
                return call(key, callee, self, values, False) if self[clock] else otherwise

            return self.once(key, compute)

        arguments = ", ".join(g.text for g in given)
        return Fragment(
            f"merge({clock}; (activate {callee.name} every {clock})({arguments}); "
            f"{other.text} when not {clock})",
            run,
        )


_ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": lambda x, y: x + y, "-": lambda x, y: x - y, "*": lambda x, y: x * y,
}
_LOGIC: dict[str, Callable[[bool, bool], bool]] = {
    "and": lambda p, q: p and q, "or": lambda p, q: p or q, "xor": lambda p, q: p != q,
    "=>": lambda p, q: not p or q,
}


def leaves(name: str, value: Value) -> dict[str, Value]:
    """A stream's value as the front end names its parts."""
    if isinstance(value, dict):
        return {f"{name}.{part}": item for part, item in value.items()}
    if isinstance(value, list):
        return {f"{name}[{n}]": item for n, item in enumerate(value)}
    return {name: value}


def random_value(kind: str, random: Random) -> Value:
    match kind:
        case "bool":
            return random.random() < 0.5
        case "int8":
            return random.randint(-128, 127)
        case "light":
            return random.randint(0, 2)
        case "point":
            return {"x": random.randint(-9, 9), "b": random.random() < 0.5}
        case "row":
            return [random.randint(-9, 9) for _ in range(3)]
    return random.randint(-9, 9)
