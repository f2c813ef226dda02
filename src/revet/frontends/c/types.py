"""C types after parsing: no typedefs or qualifiers left, sizes and layout of one data model.

Sizes, alignments and offsets are the ones clang computes for the target (i386 for ILP32, x86-64
for LP64); nothing here lays out a structure itself. Types compare by structure, except structures
and unions, which compare by identity (one object per declaration).
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Void:
    def __str__(self) -> str:
        return "void"


@dataclass(frozen=True, slots=True)
class Int:
    """Any integer type, ``_Bool`` and enumerations included. ``name`` and ``enumerators`` (values and their
    names) are for people only."""

    bits: int
    signed: bool
    boolean: bool = False
    name: str = field(default="int", compare=False)
    enumerators: tuple[tuple[int, str], ...] = field(default=(), compare=False, repr=False)

    @property
    def size(self) -> int:
        return self.bits // 8

    @property
    def least(self) -> int:
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def greatest(self) -> int:
        if self.boolean:
            return 1
        return (1 << (self.bits - 1 if self.signed else self.bits)) - 1

    def wrap(self, value: int) -> int:
        """The value of this type that a conversion of ``value`` gives (as gcc and clang define it)."""
        if self.boolean:
            return int(value != 0)
        value &= (1 << self.bits) - 1
        return value - (1 << self.bits) if self.signed and value > self.greatest else value

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Floating:
    """``float`` (32 bits), ``double`` (64) or ``long double`` (80, in ``size`` bytes)."""

    bits: int
    size: int
    name: str = field(default="double", compare=False)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Pointer:
    target: CType
    size: int

    def __str__(self) -> str:
        return f"{self.target} *"


@dataclass(frozen=True, slots=True)
class Array:
    """``count`` is None for incomplete arrays and arrays of variable length."""

    element: CType
    count: int | None

    def __str__(self) -> str:
        return f"{self.element} [{'' if self.count is None else self.count}]"


@dataclass(frozen=True, slots=True)
class Function:
    """``parameters`` is None for functions declared without a prototype."""

    result: CType
    parameters: tuple[CType, ...] | None
    variadic: bool = False

    def __str__(self) -> str:
        shown = "" if self.parameters is None else ", ".join(map(str, self.parameters))
        return f"{self.result} ({shown}{', ...' if self.variadic else ''})"


@dataclass(frozen=True, slots=True)
class Field:
    """``offset`` in bits from the start of the structure; ``width`` for bit-fields only; ``spelled``: the
    type as C text without qualifiers."""

    name: str
    type: CType
    offset: int
    width: int | None = None
    spelled: str = field(default="", compare=False, repr=False)


@dataclass(eq=False, slots=True)
class Record:
    """A structure or union. ``fields`` and sizes are filled in once, when it is completed.

    Members of anonymous inner records appear under the inner record's own (empty-named) field.
    """

    tag: str
    union: bool
    fields: tuple[Field, ...] = ()
    size: int = 0
    align: int = 1
    complete: bool = False

    def __str__(self) -> str:
        return f"{'union' if self.union else 'struct'} {self.tag}"

    def __repr__(self) -> str:
        return str(self)


CType = Void | Int | Floating | Pointer | Array | Function | Record

VOID = Void()


def size_of(type: CType) -> int:
    """``sizeof``; 1 for void and functions, as in GNU C."""
    match type:
        case Void() | Function():
            return 1
        case Array(element, count):
            return size_of(element) * (count or 0)
        case _:
            return type.size


def align_of(type: CType, pointer_size: int) -> int:
    """The alignment that the ABI gives a type: every address of an object of it is a multiple of this. i386
    aligns nothing but what says so itself to more than four bytes."""
    type = innermost(type)
    match type:
        case Void() | Function() | Array():  # an array is none any more
            return 1
        case Record():
            return type.align
        case Floating(bits=80) | Int(bits=128):
            return type.size if pointer_size == 8 else 4
        case _:
            return min(type.size, pointer_size)


def block_alignment(pointer_size: int) -> int:
    """That of what ``malloc`` and its kin return."""
    return 2 * pointer_size


def has_known_size(type: CType) -> bool:
    """Is the type complete: no array without a length and no record that no file defines?"""
    if isinstance(type, Record):
        return type.complete
    return not isinstance(type, Array) or type.count is not None


def innermost(type: CType) -> CType:
    """What an array (of arrays) consists of; any other type itself."""
    while isinstance(type, Array):
        type = type.element
    return type


def is_scalar(type: CType) -> bool:
    return isinstance(type, Int | Floating | Pointer)


def floating(bits: int, pointer_size: int) -> Floating:
    """The floating type whose values have so many bits; ``long double`` is padded to whole words."""
    size = bits // 8 if bits != 80 else 16 if pointer_size == 8 else 12
    return Floating(bits, size, {32: "float", 64: "double", 80: "long double"}[bits])


@dataclass(frozen=True, slots=True)
class DataModel:
    """``ilp32`` or ``lp64``: the sizes of int, long and pointers, and clang's target for it."""

    name: str
    target: str
    long_bits: int
    pointer_size: int

    @property
    def int(self) -> Int:
        return Int(32, True)

    @property
    def size_type(self) -> Int:
        return Int(self.pointer_size * 8, False, name="size_t")


ILP32 = DataModel("ilp32", "i386-linux-gnu", 32, 4)
LP64 = DataModel("lp64", "x86_64-linux-gnu", 64, 8)
DATA_MODELS = {model.name: model for model in (ILP32, LP64)}
NATIVE = LP64 if sys.maxsize > 2**32 else ILP32  # of the machine that Revet runs on
