"""The words of the language that are not operators of :class:`~revet.streams.stream.Stream`."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from revet.streams.aggregates import Aggregate, choose, declared, external, replaced
from revet.streams.places import assigned_name, caller, error
from revet.streams.stream import Stream, apply, constant, integral, lift, same_type
from revet.streams.types import Bool, Scalar, Type, Word64


def extern(name: str, type_: Type, sample: Sequence[Any] | None = None) -> Any:
    """A variable of the monitored program, read once an instant. ``sample`` is for simulation."""
    if not name.isidentifier():
        raise error(f"extern {name!r}: the name must be one that C can have")
    if sample is not None and not len(sample):
        raise error(f"extern {name}: the sample data are empty")
    return external(type_, name, sample)


def declare(type_: Type, name: str | None = None) -> Any:
    """A stream to be defined later, for recursion: ``x = declare(Word8); x.define([0] @ (x + 1))``."""
    return declared(type_, name or assigned_name(caller()))


def recursive(type_: Type, body: Callable[[Any], Any], name: str | None = None) -> Any:
    """``recursive(Word64, lambda f: [1, 1] @ (f + f.drop(1)))``."""
    stream = declare(type_, name)
    stream.define(body(stream))
    return stream


def local(value: Any, body: Callable[..., Any]) -> Any:
    """``local(s, lambda x: …)``: compute s once and call it x (sharing is kept everywhere)."""
    return body(value)


def true() -> Stream:
    return constant(True, Bool)


def false() -> Stream:
    return constant(False, Bool)


def boolean(value: Any, what: str) -> Stream:
    stream = lift(value, Bool)
    if stream.type is not Bool:
        raise error(f"{what} must be a Bool, this is a {stream.type}")
    return stream


def mux(condition: Any, then: Any, otherwise: Any) -> Any:
    """``then`` where the condition holds, else ``otherwise``."""
    test = boolean(condition, "the condition of mux")
    if isinstance(then, Aggregate) or isinstance(otherwise, Aggregate):
        return choose(test, then, otherwise)
    if not isinstance(then, Stream) and not isinstance(otherwise, Stream):
        raise error("mux between two constants: make one a stream with constant(value, Type)")
    x, y = same_type("mux", then, otherwise)
    return apply("mux", x.type, test, x, y)


def implies(left: Any, right: Any) -> Stream:
    return ~boolean(left, "the left side of implies") | boolean(right, "the right side of implies")


def conjunction(streams: Sequence[Any]) -> Stream:
    result = constant(True, Bool)
    for stream in streams:
        result = result & boolean(stream, "a conjunct")
    return result


def disjunction(streams: Sequence[Any]) -> Stream:
    result = constant(False, Bool)
    for stream in streams:
        result = result | boolean(stream, "a disjunct")
    return result


def minimum(left: Any, right: Any) -> Stream:
    x, y = same_type("minimum", left, right)
    return mux(x <= y, x, y)


def maximum(left: Any, right: Any) -> Stream:
    x, y = same_type("maximum", left, right)
    return mux(x >= y, x, y)


def quot(left: Any, right: Any) -> Stream:
    """C's division: towards zero (by zero: 0)."""
    return integral("quot", left, right)


def rem(left: Any, right: Any) -> Stream:
    """C's remainder: the sign of the left side (by zero: the left side)."""
    return integral("rem", left, right)


def cast(stream: Stream, type_: Scalar) -> Stream:
    """To another type: integers wrap, floats round; a float out of range becomes the integer 0."""
    source = stream.type
    if source is type_:
        return stream
    apart = {"integer", "float"} == {source.kind, type_.kind} or source.kind == "real"
    if type_.kind == "bool" or apart or (type_.kind == "real" and source.kind != "integer"):
        raise error(f"no cast from {source} to {type_}" + (" (write s != 0)" if type_.kind == "bool" else ""))
    return apply("cast", type_, stream)


FUNCTIONS = (
    "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "exp",
    "log",
)


def _float_function(name: str) -> Callable[[Stream], Stream]:
    def function(stream: Stream) -> Stream:
        if not isinstance(stream, Stream) or stream.type.kind not in ("float", "real"):
            what = stream.type if isinstance(stream, Stream) else repr(stream)
            raise error(f"{name} expects a stream of Float, Double or Real, this is {what}")
        return apply(name, stream.type, stream)

    function.__name__ = name
    function.__doc__ = f"C's ``{name}`` at every instant; of Reals the mathematical function."
    return function


sqrt, floor, ceil = (_float_function(name) for name in ("sqrt", "floor", "ceil"))
(
    sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh, exp, log,
) = map(_float_function, FUNCTIONS)


def atan2(y: Any, x: Any) -> Stream:
    """C's ``atan2``: the angle of the point (x, y)."""
    left, right = same_type("atan2", y, x)
    if left.type.kind not in ("float", "real"):
        raise error(f"atan2 expects streams of Float or Double, these are {left.type}s")
    return apply("atan2", left.type, left, right)


def log_base(base: Any, x: Any) -> Stream:
    """The logarithm of x to a base: ``log(x) / log(base)``."""
    left, right = same_type("log_base", base, x)
    return log(right) / log(left)


def pi(type_: Scalar) -> Stream:
    """π, rounded to the type."""
    return constant(math.pi, type_)


def signum(stream: Stream) -> Stream:
    """-1, 0 or 1, by the sign; of floats, zeros and NaN are themselves."""
    if not isinstance(stream, Stream) or not stream.type.is_number:
        raise error(f"signum expects a stream of numbers, this is {stream!r}")
    positive = stream > 0
    if stream.type.kind == "float":
        return mux(positive, 1, mux(stream < 0, -1, stream))
    if not stream.type.signed:
        return mux(positive, constant(1, stream.type), 0)
    return mux(positive, constant(1, stream.type), mux(stream < 0, constant(-1, stream.type), 0))


def update(stream: Any, key: Any, value: Any) -> Aggregate:
    """The struct with another value of a field, or the array with another one at an index.

    ``value`` is a stream, a constant, or a function of the old value. An index may be a stream of Words;
    one beyond the end means the last element, as in reading.
    """
    return replaced(stream, key, value)


def label(text: str, stream: Any) -> Any:
    """The stream under a name, which comments of the generated C, counterexamples and pictures show."""
    if not text or any(mark in text for mark in "'@!"):
        raise error(f"{text!r} cannot be a label")
    named = declared(stream.type, text)
    return named.define(stream)


def is_nan(stream: Stream) -> Stream:
    if stream.type.kind != "float":
        raise error(f"is_nan expects a Float or Double, this is a {stream.type}")
    return ~apply("eq", Bool, stream, stream)


def all_constants(type_: Scalar, body: Callable[[Stream], Stream]) -> Stream:
    """The body holds for every constant of a small type (Copilot's ``forAllCste``)."""
    if type_.kind == "bool":
        return body(constant(False, Bool)) & body(constant(True, Bool))
    if type_.kind != "int" or type_.width > 8:
        raise error(f"all_constants goes through every value: {type_} has too many")
    return conjunction([body(constant(value, type_)) for value in range(type_.low, type_.high + 1)])


def counter(type_: Scalar = Word64) -> Stream:
    """0, 1, 2, …"""
    return recursive(type_, lambda n: [0] @ (n + 1), "counter")
