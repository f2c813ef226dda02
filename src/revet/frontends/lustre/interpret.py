"""An interpreter of Lustre: the reference semantics, and the replay of counterexamples.

Works on the syntax tree, instant by instant, with Python's own numbers; it shares nothing with
the translation but the parser and the type checker. A ``pre`` before the first instant has no
value of its own: the interpreter asks ``undefined`` for one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from revet.errors import Position
from revet.frontends.lustre.obligations import environment, owed
from revet.frontends.lustre.syntax import (
    Binary,
    Call,
    Expr,
    IfThenElse,
    Literal,
    Name,
    Node,
    Tuple,
    Unary,
)
from revet.frontends.lustre.types import MACHINE, Type, Typing
from revet.logic.semantics import euclidean_div, euclidean_mod, truncated_div, truncated_rem

Number = bool | int | Fraction
Path = tuple[Call, ...]  # the calls that lead from the main node to a scope
Undefined = Callable[[Path, Expr, int, Type], Number]
Free = Callable[[Path, str, int, Type], Number]


def zero(path: Path, expr: Expr, position: int, type_: Type) -> Number:
    """The simplest answer to what an undefined ``pre`` is."""
    if type_.name == "bool":
        return False
    return Fraction(0) if type_.name == "real" else 0


def free_zero(path: Path, name: str, instant: int, type_: Type) -> Number:
    """The simplest output of an imported node."""
    return zero(path, Literal(Position("", 1), "0"), 0, type_)


class Machine:
    """A running main node. Signed machine integers are kept as signed Python integers."""

    def __init__(
        self, typing: Typing, main: Node, undefined: Undefined = zero, free: Free = free_zero
    ) -> None:
        self.typing = typing
        self.free = free
        self.owed: dict[tuple[Path, Expr], Number] = {}  # obligations of called nodes, last instant
        self.main = main
        self.undefined = undefined
        self.instant = 0
        self._memory: dict[tuple[Path, Expr | str], tuple[Number, ...]] = {}
        self._watched: dict[tuple[Path, Expr | str], tuple[_Scope, Expr, Expr | None]] = {}
        self._scopes: dict[Path, _Scope] = {}
        self._top = _Scope(main, (), None)
        self._values: dict[tuple[Path, str], Number] = {}
        self._asserts = True

    def step(self, inputs: Mapping[str, Number]) -> dict[str, Number]:
        """One instant: the values of all streams of the main node, and of its properties."""
        self._values = {((), name): value for name, value in inputs.items()}
        names = [d.name for d in (*self.main.inputs, *self.main.outputs, *self.main.locals)]
        result = {name: self._stream(self._top, name) for name in names}
        for prop in (*self.main.properties, *self.main.guarantees):
            result[f"property {prop.name}"] = self._one(self._top, prop.formula)
        self._latch()
        self.instant += 1
        return result

    def asserts_hold(self) -> bool:
        """Did every assertion hold at the last instant? Call after :meth:`step`."""
        return self._asserts

    def _latch(self) -> None:
        """Compute what every ``pre`` will see next, which may touch more of the program."""
        self._asserts = True
        latched: dict[tuple[Path, Expr | str], tuple[Number, ...]] = {}
        looked_at: set[Path] = set()
        progress = True
        while progress:
            progress = False
            for scope in [s for s in (self._top, *self._scopes.values()) if s.path not in looked_at]:
                progress = True
                looked_at.add(scope.path)
                node = scope.node
                for declaration in (*node.inputs, *node.outputs, *node.locals):
                    self._stream(scope, declaration.name)
                granted = environment(scope.node, scope is self._top)
                true = [self._one(scope, formula) is True for formula in granted]
                self._asserts = self._asserts and all(true)
                for clause in () if scope is self._top else owed(scope.node):
                    self.owed[scope.path, clause.formula] = self._one(scope, clause.formula)
            for key, (scope, expr, clock) in list(self._watched.items()):
                if key not in latched:
                    progress = True
                    held = clock is not None and not self._one(scope, clock)
                    value = self._tuple(scope, expr)  # also when held: calls in it see every instant
                    latched[key] = self._pre(scope, expr, clock) if held else value
        self._memory = latched

    # -- evaluation

    def _stream(self, scope: _Scope, name: str) -> Number:
        key = (scope.path, name)
        if key not in self._values:
            if name in scope.inputs:
                self._values[key] = self._argument(scope, name)
            elif name in scope.definitions:
                value, position = scope.definitions[name]
                self._values[key] = self._tuple(scope, value)[position]
            else:
                type_ = self.typing.variables[scope.node][name]
                self._values[key] = self.free(scope.path, name, self.instant, type_)
        return self._values[key]

    def _argument(self, scope: _Scope, name: str) -> Number:
        assert scope.caller is not None
        given = [v for a in scope.path[-1].arguments for v in self._tuple(scope.caller, a)]
        return given[scope.inputs[name]]

    def _one(self, scope: _Scope, expr: Expr) -> Number:
        return self._tuple(scope, expr)[0]

    def _tuple(self, scope: _Scope, expr: Expr) -> tuple[Number, ...]:
        match expr:
            case Literal(text=text):
                return (_literal(text),)
            case Name(name=name):
                return (self._name(scope, name),)
            case Unary(operator="pre", argument=argument):
                return self._pre(scope, argument)
            case Unary(operator=operator, argument=argument):
                type_ = self.typing.type_of(argument)
                return (_unary(operator, self._one(scope, argument), type_),)
            case Binary(operator="->", left=left, right=right):
                # Both sides run, so that every pre in them sees every instant.
                now, later = self._tuple(scope, left), self._tuple(scope, right)
                return now if self.instant == 0 else later
            case Binary(operator="fby", left=left, right=right):
                now, later = self._tuple(scope, left), self._pre(scope, right)
                return now if self.instant == 0 else later
            case Binary(operator="pre~", left=left, right=right):
                return self._pre(scope, left, right)
            case Binary(operator=operator, left=left, right=right):
                type_ = self.typing.type_of(left)
                return (_binary(operator, self._one(scope, left), self._one(scope, right), type_),)
            case IfThenElse(condition=condition, then=then, otherwise=otherwise):
                yes, no = self._tuple(scope, then), self._tuple(scope, otherwise)
                return yes if self._one(scope, condition) else no
            case Call(node="#", arguments=arguments):
                return (sum(bool(self._one(scope, a)) for a in arguments) <= 1,)
            case Call():
                return self._call(scope, expr)
            case Tuple(items=items):
                return tuple(v for item in items for v in self._tuple(scope, item))
        raise AssertionError(f"not an expression: {expr}")

    def _name(self, scope: _Scope, name: str) -> Number:
        if name in self.typing.variables[scope.node]:
            return self._stream(scope, name)
        constant = self.typing.local_constants[scope.node].get(name) or self.typing.constants.get(name)
        if constant is not None:
            return self._one(scope, constant[1])
        return self.typing.enumerators[name][1]

    def _pre(self, scope: _Scope, argument: Expr, clock: Expr | None = None) -> tuple[Number, ...]:
        label = argument.name if isinstance(argument, Name) else argument
        key = (scope.path, label)
        self._watched.setdefault(key, (scope, argument, clock))
        if key not in self._memory:
            types = self.typing.of[argument]
            self._memory[key] = tuple(
                self.undefined(scope.path, argument, n, type_) for n, type_ in enumerate(types)
            )
        return self._memory[key]

    def _call(self, scope: _Scope, call: Call) -> tuple[Number, ...]:
        path = (*scope.path, call)
        child = self._scopes.get(path)
        if child is None:
            child = self._scopes[path] = _Scope(self.typing.nodes[call.node], path, scope)
        return tuple(self._stream(child, d.name) for d in child.node.outputs)


class _Scope:
    """A node at one place in the call tree."""

    def __init__(self, node: Node, path: Path, caller: _Scope | None) -> None:
        self.node = node
        self.path = path
        self.caller = caller
        self.inputs = {declaration.name: n for n, declaration in enumerate(node.inputs)}
        self.definitions = {
            name.name: (equation.value, position)
            for equation in node.equations
            for position, name in enumerate(equation.names)
        }


def _literal(text: str) -> Number:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.isdigit() else Fraction(text.rstrip("."))


def _wrap(value: int, type_: Type) -> int:
    value &= (1 << type_.width) - 1
    return value - (1 << type_.width) if type_.signed and value >> (type_.width - 1) else value


def _unary(operator: str, value: Number, type_: Type) -> Number:
    if operator == "not":
        return not value
    if operator == "-":
        return _wrap(-int(value), type_) if type_.width else -value
    if operator == "real":
        return Fraction(value)
    whole = value.__floor__()
    return whole if operator == "int" else _wrap(whole, MACHINE[operator])


def _binary(operator: str, x: Number, y: Number, type_: Type) -> Number:
    if operator in _LOGIC:
        return _LOGIC[operator](x, y)
    if type_.width:
        return _wrap(_machine(operator, int(x), int(y)), type_)
    if operator == "/":
        return Fraction(x) / Fraction(y) if y else Fraction(0)
    if operator in ("div", "mod"):
        return (euclidean_div if operator == "div" else euclidean_mod)(int(x), int(y))
    return {"+": x + y, "-": x - y, "*": x * y}[operator]


def _machine(operator: str, x: int, y: int) -> int:
    if operator in ("div", "/"):
        return truncated_div(x, y) if y else (1 if x < 0 else -1)
    if operator == "mod":
        return truncated_rem(x, y) if y else x
    return {"+": x + y, "-": x - y, "*": x * y}[operator]


_LOGIC: dict[str, Callable[[Number, Number], bool]] = {
    "and": lambda x, y: bool(x and y), "or": lambda x, y: bool(x or y), "xor": lambda x, y: x is not y,
    "=>": lambda x, y: bool(not x or y), "=": lambda x, y: x == y, "<>": lambda x, y: x != y,
    "<": lambda x, y: x < y, "<=": lambda x, y: x <= y, ">": lambda x, y: x > y, ">=": lambda x, y: x >= y,
}


def run(typing: Typing, main: Node, inputs: Sequence[Mapping[str, Number]]) -> list[dict[str, Number]]:
    """The streams on given inputs; an undefined ``pre`` is zero or false."""
    machine = Machine(typing, main)
    return [machine.step(row) for row in inputs]
