"""Clocks: ``merge``, ``when``, ``activate``, ``condact`` and ``restart`` in terms of plain Lustre.

A node that is called on a clock gets a variant with two more inputs, ``clk~`` and ``rst~``: at an
instant at which ``clk~`` is false it stands still, and at the first active one after ``rst~`` it begins
anew. In the variant

* ``pre e`` becomes ``pre~``, whose memory is written at active instants only;
* ``a -> b`` becomes ``if f~ then a else b`` with ``f~ = rst~ or (true -> pre (f~ and not clk~))``;
* calls pass both on; assertions and contracts count at active instants only.

``activate`` holds its outputs while the clock is false (``N~held``). ``x when c`` is x, looked at by
``merge`` only when c holds; elsewhere ``when`` is refused, as is ``restart`` of a node with a ``pre`` that
``->`` does not guard: what it should be after the restart is not defined.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from revet.errors import InputError, Position, Unsupported
from revet.frontends.lustre.rewrite import false, implies, map_children, map_property, negated, parts, true
from revet.frontends.lustre.syntax import (
    Activate,
    Binary,
    Call,
    Declaration,
    Equation,
    Expr,
    File,
    IfThenElse,
    Literal,
    Merge,
    Name,
    Node,
    Restart,
    TypeName,
    Unary,
    When,
)

CLOCKED_PRE = "pre~"
_CLK, _RST, _FIRST = "clk~", "rst~", "f~"


def expand_clocks(file: File) -> File:
    """The file without clocks; the same file if it has none."""
    if not any(_uses_clocks(node) for node in file.nodes):
        return file
    return _Expansion(file).run()


def _expressions(node: Node) -> list[Expr]:
    clauses = (*node.properties, *node.assumes, *node.guarantees)
    return [*(e.value for e in node.equations), *node.asserts, *(p.formula for p in clauses)]


def _uses_clocks(node: Node) -> bool:
    stack = _expressions(node)
    while stack:
        expr = stack.pop()
        if isinstance(expr, (When, Merge, Activate, Restart)):
            return True
        stack += parts(expr)
    return False


@dataclass(frozen=True, slots=True)
class _Context:
    """``clocked``: inside a variant, where the names above are bound."""

    clocked: bool

    def clock(self, at: Position) -> Expr:
        return Name(at, _CLK) if self.clocked else true(at)

    def restart(self, at: Position) -> Expr:
        return Name(at, _RST) if self.clocked else false(at)


class _Expansion:
    def __init__(self, file: File) -> None:
        self.file = file
        self.nodes = {node.name: node for node in file.nodes}
        self.made: dict[str, Node] = {}

    def run(self) -> File:
        plain = [self._mapped(node, _Context(False)) for node in self.file.nodes]
        main = self.file.main.name
        marked = [replace(node, main=node.name == main) for node in plain]
        return replace(self.file, nodes=(*self.made.values(), *marked))

    def _error(self, message: str, position: Position) -> InputError:
        return InputError(message, position, self.file.line(position))

    def _mapped(self, node: Node, context: _Context) -> Node:
        def f(expr: Expr) -> Expr:
            return self._expr(expr, context)

        return replace(
            node,
            equations=tuple(Equation(e.names, f(e.value), e.position) for e in node.equations),
            asserts=tuple(map(f, node.asserts)),
            properties=tuple(map_property(p, f) for p in node.properties),
            assumes=tuple(map_property(p, f) for p in node.assumes),
            guarantees=tuple(map_property(p, f) for p in node.guarantees),
        )

    # -- expressions

    def _expr(self, expr: Expr, context: _Context) -> Expr:
        def f(part: Expr) -> Expr:
            return self._expr(part, context)

        at = expr.position
        match expr:
            case Merge():
                return self._merge(expr, context)
            case When():
                raise Unsupported(
                    "'when' is supported inside 'merge' only", at, self.file.line(at)
                )
            case Activate(defaults=None):
                raise Unsupported(
                    "'activate' without 'initial default' is supported inside 'merge' only",
                    at,
                    self.file.line(at),
                )
            case Activate():
                return self._activate(expr, context)
            case Restart():
                self._refuse_unguarded(expr.node, at)
                condition = f(expr.condition)
                if context.clocked:
                    condition = Binary(at, "and", Name(at, _CLK), condition)
                    condition = Binary(at, "or", Name(at, _RST), condition)
                variant = self._variant(expr.node, at)
                return Call(at, variant, (context.clock(at), condition, *map(f, expr.arguments)))
            case Call(node=name) if context.clocked and name != "#":
                variant = self._variant(name, at)
                return Call(at, variant, (Name(at, _CLK), Name(at, _RST), *map(f, expr.arguments)))
            case Unary(operator="pre") if context.clocked:
                return Binary(at, CLOCKED_PRE, f(expr.argument), Name(at, _CLK))
            case Binary(operator="->") if context.clocked:
                return IfThenElse(at, Name(at, _FIRST), f(expr.left), f(expr.right))
            case Binary(operator="fby") if context.clocked:
                before = Binary(at, CLOCKED_PRE, f(expr.right), Name(at, _CLK))
                return IfThenElse(at, Name(at, _FIRST), f(expr.left), before)
        return map_children(expr, f)

    def _activate(self, expr: Activate, context: _Context) -> Expr:
        at = expr.position
        clock = self._expr(expr.clock, context)
        if context.clocked:
            clock = Binary(at, "and", Name(at, _CLK), clock)
        held = self._held(expr.node, expr.defaults is not None, at)
        given = [self._expr(part, context) for part in (*(expr.defaults or ()), *expr.arguments)]
        return Call(at, held, (clock, context.restart(at), *given))

    def _merge(self, merge: Merge, context: _Context) -> Expr:
        at = merge.position
        clock = self._expr(merge.clock, context)
        branches = [
            self._branch(branch, _clock_of(merge, label), context)
            for label, branch in zip(merge.labels, merge.branches, strict=True)
        ]
        if len(branches) < 2:
            raise self._error("merge needs a branch for every value of its clock", at)
        if set(merge.labels) == {"true", "false"} and len(branches) == 2:
            if merge.labels[0] == "false":
                branches.reverse()
            return IfThenElse(at, clock, branches[0], branches[1])
        if {"true", "false"} & set(merge.labels) or len(set(merge.labels)) < len(merge.labels):
            raise self._error("merge needs one branch for every value of its clock", at)
        enumeration = next((t for t in self.file.types if merge.labels[0] in t.enumeration), None)
        if enumeration is None or set(enumeration.enumeration) != set(merge.labels):
            raise self._error("merge needs one branch for every constructor of its clock's type", at)
        result = branches[-1]
        for label, branch in reversed(list(zip(merge.labels[:-1], branches[:-1], strict=True))):
            result = IfThenElse(at, Binary(at, "=", clock, Name(at, label)), branch, result)
        return result

    def _branch(self, branch: Expr, clocks: list[Expr], context: _Context) -> Expr:
        """A branch must be on the clock of its label, or merge would look at a value that is not there."""
        if isinstance(branch, Literal):
            return branch
        if isinstance(branch, (When, Activate)):
            if not any(_same(branch.clock, clock) for clock in clocks):
                raise self._error("this branch of merge is on another clock", branch.position)
            if isinstance(branch, When):
                return self._expr(branch.argument, context)
            return self._activate(branch, context)
        raise Unsupported(
            "a branch of merge is 'e when clock', an activated call or a constant",
            branch.position,
            self.file.line(branch.position),
        )

    # -- variants

    def _callee(self, name: str, position: Position) -> Node:
        if name not in self.nodes:
            raise self._error(f"there is no node {name}", position)
        return self.nodes[name]

    def _variant(self, name: str, position: Position) -> str:
        """``N~``: the node with a clock and a restart."""
        made = f"{name}~"
        if made in self.made:
            return made
        node = self._callee(name, position)
        at = node.position
        self.made[made] = node  # a recursive call finds it and is refused by the type checker
        variant = self._mapped(node, _Context(True))
        active = Name(at, _CLK)
        del self.made[made]
        self.made[made] = replace(
            variant,
            name=made,
            inputs=(_boolean(_CLK, at), _boolean(_RST, at), *node.inputs),
            locals=(*node.locals, _boolean(_FIRST, at)),
            equations=(*variant.equations, _first(at)),
            asserts=tuple(implies(active, a, a.position) for a in variant.asserts),
            assumes=tuple(map_property(p, lambda f: implies(active, f, at)) for p in variant.assumes),
            guarantees=tuple(map_property(p, lambda f: implies(active, f, at)) for p in variant.guarantees),
            main=False,
        )
        return made

    def _held(self, name: str, defaults: bool, position: Position) -> str:
        """``N~held``: the variant, with outputs that stay while the clock is false."""
        made = f"{name}~held" if defaults else f"{name}~kept"
        if made in self.made:
            return made
        variant = self._variant(name, position)
        node = self._callee(name, position)
        at = node.position
        raw = [replace(d, name=f"raw~{d.name}") for d in node.outputs]
        initial = [replace(d, name=f"default~{d.name}") for d in node.outputs] if defaults else []
        call = Call(at, variant, (Name(at, _CLK), Name(at, _RST), *(Name(at, d.name) for d in node.inputs)))
        equations = [Equation(tuple(Name(at, d.name) for d in raw), call, at), _first(at)]
        for output in node.outputs:
            before: Expr = Unary(at, "pre", Name(at, output.name))
            if defaults:
                before = IfThenElse(at, Name(at, _FIRST), Name(at, f"default~{output.name}"), before)
            value = IfThenElse(at, Name(at, _CLK), Name(at, f"raw~{output.name}"), before)
            equations.append(Equation((Name(at, output.name),), value, at))
        inputs = (_boolean(_CLK, at), _boolean(_RST, at), *initial, *node.inputs)
        self.made[made] = Node(
            made, at, inputs, node.outputs, (*raw, _boolean(_FIRST, at)), (), tuple(equations), (), (), False
        )
        return made

    def _refuse_unguarded(self, name: str, position: Position) -> None:
        stack = [name]
        seen: set[str] = set()
        while stack:
            node = self._callee(stack.pop(), position)
            if node.name in seen:
                continue
            seen.add(node.name)
            todo = [(expr, False) for expr in _expressions(node)]
            while todo:
                expr, guarded = todo.pop()
                if isinstance(expr, (Call, Activate, Restart)) and expr.node in self.nodes:
                    stack.append(expr.node)
                if isinstance(expr, Unary) and expr.operator == "pre" and not guarded:
                    message = f"restart of {name}: 'pre' needs a '->' in front of it to begin anew"
                    raise Unsupported(message, expr.position, self.file.line(expr.position))
                if isinstance(expr, Binary) and expr.operator in ("->", "fby"):
                    todo += [(expr.left, guarded), (expr.right, expr.operator == "->")]
                else:
                    inside = guarded and not (isinstance(expr, Unary) and expr.operator == "pre")
                    todo += [(part, inside) for part in parts(expr)]


def _clock_of(merge: Merge, label: str) -> list[Expr]:
    """The ways to write the clock on which the branch of ``label`` must be."""
    at = merge.position
    if label == "true":
        return [merge.clock]
    if label == "false":
        return [negated(merge.clock)]
    value = Name(at, label)
    return [Call(at, label, (merge.clock,)), Binary(at, "=", merge.clock, value)]


def _same(left: Expr, right: Expr) -> bool:
    """Are they written alike?"""
    stack = [(left, right)]
    while stack:
        x, y = stack.pop()
        if type(x) is not type(y):
            return False
        for mark in ("name", "text", "operator", "node", "field"):
            if getattr(x, mark, None) != getattr(y, mark, None):
                return False
        inside = parts(x), parts(y)
        if len(inside[0]) != len(inside[1]):
            return False
        stack += zip(*inside, strict=True)
    return True


def _boolean(name: str, at: Position) -> Declaration:
    return Declaration(name, TypeName("bool", at), at)


def _first(at: Position) -> Equation:
    """``f~ = rst~ or (true -> pre (f~ and not clk~))``"""
    waiting = Binary(at, "and", Name(at, _FIRST), negated(Name(at, _CLK)))
    before = Binary(at, "->", true(at), Unary(at, "pre", waiting))
    return Equation((Name(at, _FIRST),), Binary(at, "or", Name(at, _RST), before), at)


