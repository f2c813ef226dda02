"""Sorts: the types of terms. Interned, so ``is`` and ``==`` agree."""

from __future__ import annotations

from functools import cache


class Sort:
    """A sort. Compare with ``is``; build with :func:`BitVec`, :func:`Array`, :func:`Float`."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return (sort_from_name, (self.name,))


class BitVecSort(Sort):
    """Bit-vectors of a fixed width; values are integers in ``range(2**width)``."""

    __slots__ = ("width",)

    def __init__(self, width: int) -> None:
        super().__init__(f"(_ BitVec {width})")
        self.width = width


class FloatSort(Sort):
    """IEEE 754 binary floats; ``significand`` counts the hidden bit. Values are bit patterns."""

    __slots__ = ("exponent", "significand")

    def __init__(self, exponent: int, significand: int) -> None:
        super().__init__(f"(_ FloatingPoint {exponent} {significand})")
        self.exponent = exponent
        self.significand = significand

    @property
    def width(self) -> int:
        return self.exponent + self.significand


class ArraySort(Sort):
    """Total maps from ``index`` to ``element``."""

    __slots__ = ("element", "index")

    def __init__(self, index: Sort, element: Sort) -> None:
        super().__init__(f"(Array {index.name} {element.name})")
        self.index = index
        self.element = element


class UninterpretedSort(Sort):
    """A sort of which nothing is known but equality; values are integers that name elements."""

    __slots__ = ()


_BUILT_IN = ("Bool", "Int", "Real", "Float32", "Float64", "Array", "_")

BOOL = Sort("Bool")
INT = Sort("Int")
REAL = Sort("Real")


@cache
def BitVec(width: int) -> BitVecSort:
    if width < 1:
        raise ValueError(f"a bit-vector needs at least one bit, not {width}")
    return BitVecSort(width)


@cache
def Float(exponent: int, significand: int) -> FloatSort:
    if exponent < 2 or significand < 2:
        raise ValueError("a float needs an exponent and a significand of at least two bits")
    return FloatSort(exponent, significand)


@cache
def Array(index: Sort, element: Sort) -> ArraySort:
    if not _written_in_one_way(index):
        raise ValueError("an array cannot be indexed by arrays with finitely many indices")
    return ArraySort(index, element)


def _written_in_one_way(sort: Sort) -> bool:
    """Are values of the sort the same only if they are written alike? Arrays that can be told apart
    in finitely many places are not (:class:`revet.logic.values.ArrayValue`)."""
    if not isinstance(sort, ArraySort):
        return True
    unbounded = sort.index is INT or sort.index is REAL or isinstance(sort.index, ArraySort)
    return unbounded and _written_in_one_way(sort.index) and _written_in_one_way(sort.element)


@cache
def Uninterpreted(name: str) -> UninterpretedSort:
    if not name or name in _BUILT_IN or any(c.isspace() or c in "()|" for c in name):
        raise ValueError(f"{name!r} cannot be the name of a sort")
    return UninterpretedSort(name)


FLOAT32 = Float(8, 24)
FLOAT64 = Float(11, 53)
EXTENDED = Float(15, 64)  # the values of x87's 80 bits


def sort_from_name(name: str) -> Sort:
    """The sort whose SMT-LIB spelling is ``name`` (the inverse of ``sort.name``)."""
    tokens = name.replace("(", " ( ").replace(")", " ) ").split()
    sort, rest = _parse_sort(tokens)
    if rest:
        raise ValueError(f"not a sort: {name}")
    return sort


def _parse_sort(tokens: list[str]) -> tuple[Sort, list[str]]:
    match tokens:
        case ["Bool", *rest]:
            return BOOL, rest
        case ["Int", *rest]:
            return INT, rest
        case ["Real", *rest]:
            return REAL, rest
        case ["Float32", *rest]:
            return FLOAT32, rest
        case ["Float64", *rest]:
            return FLOAT64, rest
        case ["(", "_", "BitVec", width, ")", *rest]:
            return BitVec(int(width)), rest
        case ["(", "_", "FloatingPoint", exponent, significand, ")", *rest]:
            return Float(int(exponent), int(significand)), rest
        case ["(", "Array", *rest]:
            index, rest = _parse_sort(rest)
            element, rest = _parse_sort(rest)
            if rest[:1] == [")"]:
                return Array(index, element), rest[1:]
        case [symbol, *rest] if symbol not in "()":
            return Uninterpreted(symbol), rest
    raise ValueError(f"not a sort: {' '.join(tokens)}")
