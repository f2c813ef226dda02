"""Structural abstraction on the equations of a specification (Laurent, after Babić and Hu).

An equation is a stream that was declared and defined, or labelled. To forget an equation is to let its
stream have any values: it becomes an extern. What is proved of the rest holds of the whole, which is the
case in which the streams have the values that their equations say. A counterexample of the rest is

- real, if every forgotten stream has in it the values that its equation says (and the interpreter then
  sees the property of the whole fail);
- else spurious: of the streams with other values, the one that is deepest in the dependency graph is
  remembered again, and the proof is tried once more.

At the beginning everything is forgotten but what the property itself says. The answer has every step, and the
dependency graph as a picture.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from revet.events import Arrow, Box, Explained, Note
from revet.report.drawing import drawing_dot, drawing_svg
from revet.streams.core import Apply, Delay, Drop, Extern, Node, Variable, reached
from revet.streams.interpret import Interpreter
from revet.streams.prove import How, Proof, prove

if TYPE_CHECKING:
    from revet.streams.spec import Property, Spec
    from revet.streams.table import Table


@dataclass(frozen=True)
class Graph:
    """``equations`` by name, in the order in which the property leads to them; ``edges`` from a stream to
    those in its definition; ``depth`` counts the edges from the property; ``forgotten`` are drawn dashed."""

    title: str
    equations: Mapping[str, Node]
    edges: frozenset[tuple[str, str]]
    depth: Mapping[str, int]
    forgotten: frozenset[str] = frozenset()

    def _picture(self) -> Explained:
        boxes = tuple(
            Box(name, name, (), "initial" if not depth else "covered" if name in self.forgotten else "")
            for name, depth in self.depth.items()
        )
        arrows = tuple(Arrow(source, target) for source, target in sorted(self.edges))
        return Explained("equations", self.title, "", boxes, arrows)

    def svg(self) -> str:
        return drawing_svg(self._picture())

    def dot(self) -> str:
        return drawing_dot(self._picture())

    def _repr_svg_(self) -> str:
        return self.svg()


@dataclass(frozen=True)
class AbstractProof:
    """``proof`` is about the specification with the ``graph``'s forgotten streams free; ``steps`` say what
    was remembered on the way, and why."""

    proof: Proof
    graph: Graph
    steps: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.proof)

    @property
    def status(self) -> str:
        return self.proof.status

    def __str__(self) -> str:
        free = ", ".join(sorted(self.graph.forgotten)) or "nothing"
        return "\n".join([*self.steps, f"{self.proof.line}, with {free} forgotten"])


def dependencies(roots: Mapping[str, Node], title: str) -> Graph:
    """The dependency graph of everything that the named streams look at."""
    names = _names([node for root in roots.values() for node in reached(root)])
    equations: dict[str, Node] = dict(roots)
    edges: set[tuple[str, str]] = set()
    depth = dict.fromkeys(roots, 0)
    queue = list(roots.items())
    for name, node in queue:
        start = node.definition if isinstance(node, Variable) and node.definition is not None else node
        for variable in _seen_from(start):
            target = names[variable]
            edges.add((name, target))
            if target not in depth:
                depth[target] = depth[name] + 1
                equations[target] = variable
                queue.append((target, variable))
    return Graph(title, equations, frozenset(edges), depth)


def prove_by_equations(spec: Spec, name: str, how: How) -> AbstractProof:
    """One property of a specification, without lemmas."""
    prop = spec.properties[name]
    roots = {f"property {name}": prop.formula}
    roots.update({f"assumption {number}": node for number, node in enumerate(spec.assumptions)})
    graph = dependencies(roots, f"{spec.name}, {name}")
    known = {node: key for key, node in graph.equations.items() if isinstance(node, Variable)}
    kept = {*roots.values(), *(variable for root in roots.values() for variable in _under_drops(root))}
    steps: list[str] = []
    while True:
        free = {variable: key for variable, key in known.items() if variable not in kept}
        proof = prove(_forgetting(spec, prop, free), [name], how)[name]
        wrong = _spurious(proof, free) if proof.run is not None else []
        if not wrong and free and proof.run is not None and not _real(spec, prop, proof.run):
            steps.append("a counterexample is none of the whole: everything is remembered")
            kept.update(known)
        elif not wrong:
            return AbstractProof(proof, replace(graph, forgotten=frozenset(free.values())), tuple(steps))
        else:
            chosen = max(wrong, key=lambda variable: (graph.depth[known[variable]], known[variable]))
            others = ", ".join(sorted(known[variable] for variable in wrong))
            steps.append(f"a counterexample has other values of {others}: {known[chosen]} is remembered")
            kept.add(chosen)
        how.observe(Note("equations", steps[-1]))


def _real(spec: Spec, prop: Property, run: Table) -> bool:
    """Does the interpreter see the property of the whole fail on the run's inputs?"""
    nodes = [prop.formula, *spec.assumptions]
    externs = {node.name: node for root in nodes for node in _externs(root)}
    given = {name: run.streams.get(name, [node.type.zero]) for name, node in externs.items()}
    interpreter = Interpreter(given)
    holds = all(interpreter.value(node, t) for node in spec.assumptions for t in range(run.steps))
    return holds and bool(interpreter.value(prop.formula, run.steps - 1)) != prop.universal


def _spurious(proof: Proof, free: Mapping[Variable, str]) -> list[Variable]:
    """The forgotten streams that have in the run of the proof other values than their equations say there."""
    run = proof.run
    assert run is not None
    given = {name: values for name, values in run.streams.items() if not name.startswith("property ")}
    wrong = []
    for variable, name in free.items():
        if name not in given or variable.definition is None:
            continue  # not looked at any more
        # Its definition, over the values that the run gives to the other forgotten streams.
        others = {v: n for v, n in free.items() if n in given}
        definition = _Forget(others).copy(variable.definition)
        inputs = {node.name: given.get(node.name, [node.type.zero]) for node in _externs(definition)}
        interpreter = Interpreter(inputs)
        if any(interpreter.value(definition, t) != given[name][t] for t in range(run.steps)):
            wrong.append(variable)
    return wrong


def _forgetting(spec: Spec, prop: Property, free: Mapping[Variable, str]) -> Spec:
    forget = _Forget(free)
    made = copy(spec)
    made.observers, made.triggers = {}, []
    made.assumptions = [forget.copy(node) for node in spec.assumptions]
    made.properties = {prop.name: replace(prop, formula=forget.copy(prop.formula), using=())}
    return made


class _Forget:
    """Copies of nodes in which the forgotten streams are externs."""

    def __init__(self, free: Mapping[Variable, str]) -> None:
        self.free = free
        self.made: dict[Node, Node] = {}

    def copy(self, start: Node) -> Node:
        stack = [start]
        while stack:
            node = stack[-1]
            if node in self.made and not (isinstance(node, Variable) and self._open(node)):
                stack.pop()
                continue
            if isinstance(node, Variable):
                self._variable(node, stack)
                continue
            missing = [child for child in node.children if child not in self.made]
            if missing:
                stack += missing
                continue
            self.made[node] = _rebuilt(node, [self.made[child] for child in node.children])
            stack.pop()
        return self.made[start]

    def _open(self, node: Variable) -> bool:
        """A kept equation whose right side has not been copied yet."""
        made = self.made[node]
        return isinstance(made, Variable) and made.definition is None

    def _variable(self, node: Variable, stack: list[Node]) -> None:
        if node in self.free:
            self.made[node] = Extern(node.type, node.place, self.free[node], None, node.type)
            return
        made = self.made.setdefault(node, Variable(node.type, node.place, node.name))
        assert isinstance(made, Variable) and node.definition is not None
        if node.definition in self.made:
            made.definition = self.made[node.definition]
        elif node.definition in stack:
            stack.pop()  # a cycle: the definition is being made further down
        else:
            stack.append(node.definition)


def _rebuilt(node: Node, children: Sequence[Node]) -> Node:
    match node:
        case Apply():
            return Apply(node.type, node.place, node.operator, tuple(children))
        case Delay():
            return Delay(node.type, node.place, node.buffer, children[0])
        case Drop():
            return Drop(node.type, node.place, node.count, children[0])
    return node


def _seen_from(start: Node) -> list[Variable]:
    """The streams that a definition mentions itself."""
    return [node for node in reached(start, Variable) if isinstance(node, Variable)]


def _externs(start: Node) -> list[Extern]:
    return [node for node in reached(start) if isinstance(node, Extern)]


def _under_drops(start: Node) -> set[Variable]:
    """The streams whose future is asked for without a delay between: they cannot be externs."""
    drops = [node for node in reached(start) if isinstance(node, Drop)]
    return {node for drop in drops for node in reached(drop.source, Delay) if isinstance(node, Variable)}


def _names(nodes: Iterable[Node]) -> dict[Variable, str]:
    """A name of its own for each equation, which no extern has."""
    names: dict[Variable, str] = {}
    nodes = list(dict.fromkeys(nodes))
    taken = {node.variable for node in nodes if isinstance(node, Extern)}
    for variable in (node for node in nodes if isinstance(node, Variable)):
        stem = re.sub(r"\W+", "_", variable.name or f"line{variable.place.line}")
        name, number = stem, 2
        while name in taken or name in names.values():
            name, number = f"{stem}{number}", number + 1
        names[variable] = name
    return names
