"""Streams: a language for runtime monitors, embedded in Python as Copilot is in Haskell.

>>> from revet.streams import *
>>> fib = declare(Word64)
>>> _ = fib.define([1, 1] @ (fib + fib.drop(1)))
>>> spec = Spec("example")
>>> spec.observer("fib", fib)
>>> print(spec.interpret(8))
instant  0  1  2  3  4  5   6   7
fib      1  1  2  3  5  8  13  21

A :class:`Spec` can be interpreted, proved, compiled to C and simulated; see ``docs/streams.md``.
The libraries (past-time and bounded temporal logic, voting, clocks, …) are in
:mod:`revet.streams.library`.
"""

from revet.streams.aggregates import Aggregate, array, struct
from revet.streams.language import (
    acos,
    acosh,
    all_constants,
    asin,
    asinh,
    atan,
    atan2,
    atanh,
    cast,
    ceil,
    conjunction,
    cos,
    cosh,
    counter,
    declare,
    disjunction,
    exp,
    extern,
    false,
    floor,
    implies,
    is_nan,
    label,
    local,
    log,
    log_base,
    maximum,
    minimum,
    mux,
    pi,
    quot,
    recursive,
    rem,
    signum,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
    true,
    update,
)
from revet.streams.places import StreamError
from revet.streams.prove import Proof
from revet.streams.spec import Spec, exists, forall
from revet.streams.stream import Stream, constant, delay
from revet.streams.table import Table
from revet.streams.types import (
    Array,
    Bool,
    Double,
    Float,
    Int8,
    Int16,
    Int32,
    Int64,
    Integer,
    Real,
    Struct,
    Word8,
    Word16,
    Word32,
    Word64,
)

__all__ = [
    "Aggregate", "Array", "Bool", "Double", "Float", "Int16", "Int32", "Int64", "Int8", "Integer",
    "Proof", "Real", "Spec", "Stream", "StreamError", "Struct", "Table", "Word16", "Word32", "Word64",
    "Word8",
    "acos", "acosh", "all_constants", "array", "asin", "asinh", "atan", "atan2", "atanh", "cast",
    "ceil", "conjunction", "constant", "cos", "cosh", "counter", "declare", "delay", "disjunction",
    "exists", "exp", "extern", "false", "floor", "forall", "implies", "is_nan", "label", "local", "log",
    "log_base", "maximum", "minimum", "mux", "pi", "quot", "recursive", "rem", "signum", "sin", "sinh",
    "sqrt", "struct", "tan", "tanh", "true", "update",
]
