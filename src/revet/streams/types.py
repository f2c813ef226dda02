"""The types of streams: machine integers, IEEE floats, Booleans, and mathematical integers and reals.

A value of a type is Python's own: ``bool``, ``int`` (signed where the type is), ``float``, ``Fraction``. A
``Float`` is a Python float that single precision can hold. Here is also the passage to and from
the values of :mod:`revet.logic`, where a machine integer is a bit pattern.

``Array`` and ``Struct`` are products of these; streams of them are kept leaf by leaf
(:mod:`revet.streams.aggregates`), so the rest of the package knows scalars only.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from revet.logic import softfloat
from revet.logic.semantics import to_signed
from revet.logic.sorts import BOOL, FLOAT32, FLOAT64, INT, REAL, BitVec, FloatSort, Sort
from revet.logic.values import Value as LogicValue

Value = bool | int | float | Fraction


@dataclass(frozen=True, slots=True)
class Scalar:
    """``kind`` is bool, int, float, integer (unbounded) or real (exact); ``width`` is in bits."""

    name: str
    kind: str
    width: int = 0
    signed: bool = False

    def __repr__(self) -> str:
        return self.name

    @property
    def is_number(self) -> bool:
        return self.kind != "bool"

    @property
    def is_integral(self) -> bool:
        return self.kind in ("int", "integer")

    @property
    def low(self) -> int:
        return -(1 << (self.width - 1)) if self.signed else 0

    @property
    def high(self) -> int:
        return (1 << (self.width - self.signed)) - 1

    @property
    def sort(self) -> Sort:
        match self.kind:
            case "bool":
                return BOOL
            case "int":
                return BitVec(self.width)
            case "float":
                return self.float_sort
            case "real":
                return REAL
        return INT

    @property
    def float_sort(self) -> FloatSort:
        return FLOAT32 if self.width == 32 else FLOAT64

    def accept(self, value: object) -> Value:
        """A Python constant as a value of this type; :class:`ValueError` says why not."""
        if hasattr(value, "item") and not isinstance(value, (bool, int, float)):
            value = value.item()  # a number of numpy
        if self.kind == "bool":
            if isinstance(value, bool):
                return value
        elif self.kind == "float":
            if isinstance(value, (int, float, Fraction)) and not isinstance(value, bool):
                return self.round(float(value))
        elif self.kind == "real":
            if isinstance(value, (int, Fraction)) and not isinstance(value, bool):
                return Fraction(value)
            if isinstance(value, float) and math.isfinite(value):
                return Fraction(value)
        elif isinstance(value, int) and not isinstance(value, bool):
            if self.kind == "int" and not self.low <= value <= self.high:
                raise ValueError(f"{value} does not fit into {self.name} ({self.low} to {self.high})")
            return value
        raise ValueError(f"{value!r} is not {'an' if self.name[0] in 'AEIOU' else 'a'} {self.name}")

    @property
    def zero(self) -> Value:
        kinds: dict[str, Value] = {"bool": False, "float": 0.0, "real": Fraction(0)}
        return kinds.get(self.kind, 0)

    def wrap(self, value: int) -> int:
        """The value modulo 2 to the width, in the type's range."""
        if self.kind == "integer":
            return value
        value &= (1 << self.width) - 1
        return to_signed(value, self.width) if self.signed else value

    def round(self, value: float) -> float:
        """To single precision, where the type has it; too large a number becomes infinite."""
        if self.width == 64 or not math.isfinite(value):
            return value
        try:
            return float(struct.unpack("<f", struct.pack("<f", value))[0])
        except OverflowError:
            return math.copysign(math.inf, value)

    def to_logic(self, value: Value) -> LogicValue:
        if self.kind == "real":
            return Fraction(value)
        if self.kind == "bool" or self.kind == "integer":
            return int(value) if self.kind == "integer" else bool(value)
        if self.kind == "int":
            return int(value) & ((1 << self.width) - 1)
        code, size = ("<f", "<I") if self.width == 32 else ("<d", "<Q")
        bits: int = struct.unpack(size, struct.pack(code, value))[0]
        return softfloat.canonical(bits, self.float_sort)

    def from_logic(self, value: LogicValue) -> Value:
        if self.kind == "real":
            assert isinstance(value, (int, Fraction))
            return Fraction(value)
        assert isinstance(value, int)
        if self.kind == "float":
            code, size = ("<f", "<I") if self.width == 32 else ("<d", "<Q")
            return float(struct.unpack(code, struct.pack(size, value))[0])
        if self.kind == "int":
            return self.wrap(value)
        return value

    def show(self, value: Value) -> str:
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, float) and self.width == 32 and math.isfinite(value):
            bits = self.to_logic(value)
            assert isinstance(bits, int)
            return softfloat.format_bits(bits, self.float_sort)
        return str(value)


Bool = Scalar("Bool", "bool")
Int8, Int16, Int32, Int64 = (Scalar(f"Int{w}", "int", w, True) for w in (8, 16, 32, 64))
Word8, Word16, Word32, Word64 = (Scalar(f"Word{w}", "int", w) for w in (8, 16, 32, 64))
Float, Double = Scalar("Float", "float", 32, True), Scalar("Double", "float", 64, True)
Integer, Real = Scalar("Integer", "integer", 0, True), Scalar("Real", "real", 0, True)


@dataclass(frozen=True)
class Array:
    """``Array(Int16, 3)``: a fixed number of elements of one type."""

    element: Type
    length: int

    def __post_init__(self) -> None:
        if self.length < 1:
            raise ValueError("an array needs at least one element")

    def __repr__(self) -> str:
        return f"Array({self.element!r}, {self.length})"

    def parts(self) -> dict[Any, Type]:
        return dict.fromkeys(range(self.length), self.element)


class Struct:
    """``Struct("point", x=Int32, y=Int32)``: named fields, in the order given."""

    def __init__(self, name: str, /, **fields: Type) -> None:
        if not fields:
            raise ValueError("a struct needs at least one field")
        self.name = name
        self.fields = fields

    def __repr__(self) -> str:
        return f"Struct({self.name!r})"

    def parts(self) -> dict[Any, Type]:
        return dict(self.fields)


Type = Scalar | Array | Struct


def step_path(type_: Array | Struct, key: Any) -> str:
    """How C writes the part after the whole."""
    return f"[{key}]" if isinstance(type_, Array) else f".{key}"


def leaf_paths(type_: Type, path: str = "") -> list[tuple[str, Scalar]]:
    """The scalars that a type is made of, in order, each with the way that leads to it: ``.v[1]``."""
    if isinstance(type_, Scalar):
        return [(path, type_)]
    found: list[tuple[str, Scalar]] = []
    for key, part in type_.parts().items():
        found += leaf_paths(part, path + step_path(type_, key))
    return found


def assemble(type_: Type, leaves: Iterator[Any]) -> Any:
    """A Python value of the type from its leaves: a list for an array, a dictionary for a struct."""
    if isinstance(type_, Scalar):
        return next(leaves)
    parts = {key: assemble(part, leaves) for key, part in type_.parts().items()}
    return list(parts.values()) if isinstance(type_, Array) else parts


def show(type_: Type, value: Any) -> str:
    """A value as tables show it: ``3``, ``[1, 2]``, ``{x: 1, y: 2}``."""
    if isinstance(type_, Scalar):
        return type_.show(value)
    if isinstance(type_, Array):
        return "[" + ", ".join(show(type_.element, one) for one in value) + "]"
    return "{" + ", ".join(f"{key}: {show(part, value[key])}" for key, part in type_.fields.items()) + "}"


def part(value: Any, path: str) -> Any:
    """The part of a Python value that a path as ``.v[1]`` leads to."""
    for step in path.replace("[", ".").replace("]", "").split(".")[1:]:
        value = value[int(step)] if step.isdigit() else value[step]
    return value
