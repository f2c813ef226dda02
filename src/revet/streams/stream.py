"""``Stream``: a node with Python's operators, which check types when the expression is written.

Constants are lifted to the type of the stream they meet. ``==`` and ``<`` give streams of Booleans,
``&``, ``|``, ``^`` and ``~`` are logic on Booleans and bitwise on integers, ``//`` and ``%`` round
towards minus infinity as in Python (:func:`quot` and :func:`rem` round towards zero as in C), and
``[0, 1] @ s`` is s after 0 and 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from revet.streams.core import Apply, Constant, Delay, Drop, Extern, Node, Variable
from revet.streams.places import caller, error
from revet.streams.types import Bool, Scalar, Value, Word8


class Stream:
    """A stream of scalars; see the module's text."""

    __slots__ = ("node",)

    def __init__(self, node: Node) -> None:
        self.node = node

    @property
    def type(self) -> Scalar:
        return self.node.type

    def __repr__(self) -> str:
        name = getattr(self.node, "name", None)
        return f"<stream {name + ' ' if name else ''}of {self.type}, {self.node.place}>"

    def __bool__(self) -> bool:
        raise error(
            "a stream has no truth value in Python: use & | ~ instead of and, or, not, and mux "
            "instead of if (a < b < c is (a < b) & (b < c))"
        )

    def __iter__(self) -> Any:
        raise error("a stream of scalars cannot be iterated")

    __hash__ = object.__hash__

    # Time.

    def __rmatmul__(self, initial: Sequence[object]) -> Stream:
        return delay(initial, self)

    def drop(self, count: int) -> Stream:
        """The stream without its first values."""
        if isinstance(count, bool) or not isinstance(count, int) or count < 0:
            raise error(f"drop takes a number of instants, not {count!r}")
        if count == 0:
            return self
        _check_drop(self.node, count)
        return Stream(Drop(self.type, caller(), count, self.node))

    def define(self, definition: Any) -> Stream:
        """Say what a stream made by :func:`declare` is."""
        node = self.node
        if not isinstance(node, Variable):
            raise error("only a stream made by declare() can be defined")
        if node.definition is not None:
            raise error(f"stream {node.name or ''} is defined twice")
        value = lift(definition, node.type)
        if value.type is not node.type:
            raise error(f"{node.name or 'the stream'} is a {node.type}, its definition a {value.type}")
        node.definition = value.node
        _check_loop(node)
        return self

    # Arithmetic.

    def __add__(self, other: Any) -> Stream:
        return _arithmetic("add", self, other)

    def __radd__(self, other: Any) -> Stream:
        return _arithmetic("add", other, self)

    def __sub__(self, other: Any) -> Stream:
        return _arithmetic("sub", self, other)

    def __rsub__(self, other: Any) -> Stream:
        return _arithmetic("sub", other, self)

    def __mul__(self, other: Any) -> Stream:
        return _arithmetic("mul", self, other)

    def __rmul__(self, other: Any) -> Stream:
        return _arithmetic("mul", other, self)

    def __floordiv__(self, other: Any) -> Stream:
        return integral("div", self, other)

    def __rfloordiv__(self, other: Any) -> Stream:
        return integral("div", other, self)

    def __mod__(self, other: Any) -> Stream:
        return integral("mod", self, other)

    def __rmod__(self, other: Any) -> Stream:
        return integral("mod", other, self)

    def __truediv__(self, other: Any) -> Stream:
        return _fraction(self, other)

    def __rtruediv__(self, other: Any) -> Stream:
        return _fraction(other, self)

    def __pow__(self, other: Any) -> Stream:
        return _power(self, other)

    def __rpow__(self, other: Any) -> Stream:
        return _power(lift(other, self.type), self)

    def __neg__(self) -> Stream:
        _require_number("-", self)
        return apply("neg", self.type, self)

    def __abs__(self) -> Stream:
        _require_number("abs", self)
        return apply("abs", self.type, self)

    # Comparisons.

    def __eq__(self, other: object) -> Stream:  # type: ignore[override]
        return apply("eq", Bool, *same_type("==", self, other))

    def __ne__(self, other: object) -> Stream:  # type: ignore[override]
        return ~(self == other)

    def __lt__(self, other: Any) -> Stream:
        return _order("lt", "<", self, other)

    def __le__(self, other: Any) -> Stream:
        return _order("le", "<=", self, other)

    def __gt__(self, other: Any) -> Stream:
        return _order("lt", ">", other, self)

    def __ge__(self, other: Any) -> Stream:
        return _order("le", ">=", other, self)

    # Logic and bits.

    def __and__(self, other: Any) -> Stream:
        return _logic("and", "&", self, other)

    __rand__ = __and__

    def __or__(self, other: Any) -> Stream:
        return _logic("or", "|", self, other)

    __ror__ = __or__

    def __xor__(self, other: Any) -> Stream:
        return _logic("xor", "^", self, other)

    __rxor__ = __xor__

    def __invert__(self) -> Stream:
        if self.type.kind not in ("bool", "int"):
            raise error(f"~ expects a Bool or a machine integer, this is a {self.type}")
        return apply("not", self.type, self)

    def implies(self, other: Any) -> Stream:
        """Where this holds, the other does."""
        result: Stream = ~self | other
        return result

    def __lshift__(self, amount: Any) -> Stream:
        return _shift("shl", self, amount)

    def __rshift__(self, amount: Any) -> Stream:
        return _shift("shr", self, amount)


# Building and checking. Functions, so that libraries can use them with plain Python values.


def constant(value: object, type_: Scalar) -> Stream:
    """The stream that is ``value`` at every instant."""
    return Stream(Constant(type_, caller(), accepted(value, type_)))


def accepted(value: object, type_: Scalar) -> Value:
    try:
        return type_.accept(value)
    except ValueError as problem:
        raise error(str(problem)) from None


def lift(value: object, type_: Scalar) -> Stream:
    return value if isinstance(value, Stream) else constant(value, type_)


def apply(operator: str, type_: Scalar, *args: Stream) -> Stream:
    """No checks: for those who made them."""
    return Stream(Apply(type_, caller(), operator, tuple(arg.node for arg in args)))


def same_type(symbol: str, left: Any, right: Any) -> tuple[Stream, Stream]:
    if not isinstance(left, Stream):
        left, right = lift(left, right.type), right
    else:
        right = lift(right, left.type)
    if left.type is not right.type:
        raise error(f"{symbol} between a {left.type} and a {right.type}: cast one of them")
    return left, right


def _require_number(symbol: str, stream: Stream) -> None:
    if not stream.type.is_number:
        raise error(f"{symbol} expects numbers, this is a {stream.type}")


def _arithmetic(operator: str, left: Any, right: Any) -> Stream:
    symbol = {"add": "+", "sub": "-", "mul": "*"}[operator]
    x, y = same_type(symbol, left, right)
    _require_number(symbol, x)
    return apply(operator, x.type, x, y)


def integral(operator: str, left: Any, right: Any) -> Stream:
    symbol = {"div": "//", "mod": "%"}.get(operator, operator)
    x, y = same_type(symbol, left, right)
    if not x.type.is_integral:
        cure = " (use /)" if x.type.is_number else ""
        raise error(f"{symbol} expects integers, these are {x.type}s{cure}")
    return apply(operator, x.type, x, y)


def _fraction(left: Any, right: Any) -> Stream:
    x, y = same_type("/", left, right)
    if x.type.kind not in ("float", "real"):
        raise error(f"/ expects Float, Double or Real, these are {x.type}s (use // on integers)")
    return apply("fdiv", x.type, x, y)


def _power(base: Stream, exponent: Any) -> Stream:
    """Of floats C's ``pow``; of other numbers repeated multiplication, a constant number of times."""
    if base.type.kind == "float":
        x, y = same_type("**", base, exponent)
        return apply("pow", x.type, x, y)
    _require_number("**", base)
    if isinstance(exponent, bool) or not isinstance(exponent, int) or not 0 <= exponent <= 64:
        raise error(f"** on {base.type}s: the exponent is a constant from 0 to 64, not {exponent!r}")
    result, square = constant(1, base.type), base
    while exponent:
        if exponent & 1:
            result = result * square
        exponent >>= 1
        if exponent:
            square = square * square
    return result


def _order(operator: str, symbol: str, left: Any, right: Any) -> Stream:
    x, y = same_type(symbol, left, right)
    _require_number(symbol, x)
    return apply(operator, Bool, x, y)


def _logic(operator: str, symbol: str, left: Any, right: Any) -> Stream:
    x, y = same_type(symbol, left, right)
    if x.type.kind not in ("bool", "int"):
        raise error(f"{symbol} expects Bools or machine integers, these are {x.type}s")
    return apply(operator, x.type, x, y)


def _shift(operator: str, value: Stream, amount: Any) -> Stream:
    """Amounts are unsigned, so none is negative; beyond the width every bit has left."""
    symbol = "<<" if operator == "shl" else ">>"
    if value.type.kind != "int":
        raise error(f"{symbol} expects a machine integer, this is a {value.type}")
    if not isinstance(amount, Stream):
        if isinstance(amount, bool) or not isinstance(amount, int):
            raise error(f"{symbol} by {amount!r}: give a number of bits")
        if amount < 0:
            raise error(f"{symbol} by {amount}: a shift cannot be negative")
        amount = constant(min(amount, 255), Word8)
    if amount.type.kind != "int" or amount.type.signed:
        raise error(f"{symbol} by a {amount.type}: cast the amount to a Word, a shift is never negative")
    return apply(operator, value.type, value, amount)


def delay(initial: Sequence[object], stream: Stream) -> Stream:
    """``initial`` first, then the stream: ``delay([0, 1], s)`` or ``[0, 1] @ s``."""
    if isinstance(initial, Stream) or not isinstance(initial, Sequence):
        raise error("[values] @ stream: the left side is a list of initial values")
    if not initial:
        return stream
    try:
        buffer: tuple[Value, ...] = tuple(stream.type.accept(value) for value in initial)
    except ValueError as problem:
        raise error(f"initial value of a {stream.type}: {problem}") from None
    return Stream(Delay(stream.type, caller(), buffer, stream.node))


def _check_drop(node: Node, count: int) -> None:
    """Refuse at once what is known to be refused; the rest waits for definitions."""
    seen: set[Node] = set()
    while node not in seen:
        seen.add(node)
        match node:
            case Drop():
                count += node.count
                node = node.source
            case Variable(definition=Node() as definition):
                node = definition
            case Delay() if count >= len(node.buffer):
                raise error(
                    f"drop {count} reaches beyond a buffer of {len(node.buffer)}: those values are not "
                    "known yet (give the delay more initial values)"
                )
            case Extern():
                raise error(f"drop {count} of extern {node.name}: its future is not known")
            case _:
                return


def _check_loop(variable: Variable) -> None:
    """Refuse a definition that closes a loop without a delay."""
    start = variable.definition
    assert start is not None
    came_from: dict[Node, Node] = {start: variable}
    stack = [start]
    while stack:
        node = stack.pop()
        if node is variable:
            raise _loop_error(variable, came_from)
        if isinstance(node, (Delay, Drop)):
            continue  # a drop is looked at when everything is defined
        for child in node.children:
            if child not in came_from:
                came_from[child] = node
                stack.append(child)


def _loop_error(variable: Variable, came_from: dict[Node, Node]) -> Exception:
    names, node = [variable.name or "?"], came_from[variable]
    while node is not variable:
        if isinstance(node, Variable):
            names.append(node.name or "?")
        node = came_from[node]
    shown = " -> ".join([variable.name or "?", *reversed(names)])
    return error(
        f"instantaneous loop: {shown} (a stream may depend on its own past only: delay it with "
        "[value] @ stream)"
    )


