"""Mathematical integers in C: one type per comparison, wide enough for every intermediate value.

The bounds of a subterm follow from the types of the variables in it. The narrowest C type that
holds the bounds of *all* subterms on both sides is chosen, and every operand that is not of that
type by itself is cast to it: then C's arithmetic does not overflow and means the same. A linear
comparison is first arranged so that only positive coefficients remain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from revet.frontends.c.expression.names import Name, Names, NotExpressible, element_of, name_of
from revet.frontends.c.types import Int
from revet.logic import build as b
from revet.logic.arith import split_coefficient
from revet.logic.terms import Op, Term

Interval = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Width:
    """A type to compute in."""

    spelling: str
    suffix: str
    least: int
    greatest: int


_INT = Width("int", "", -(1 << 31), (1 << 31) - 1)
_LONG = Width("long long", "LL", -(1 << 63), (1 << 63) - 1)
_UNSIGNED_LONG = Width("unsigned long long", "ULL", 0, (1 << 64) - 1)
_WIDTHS = (_INT, _LONG, _UNSIGNED_LONG)


def leaf(term: Term, names: Names) -> Name | None:
    """The source's name of a variable or array element; None for other terms."""
    if term.op == Op.VAR:
        return name_of(term, names)
    if term.op == Op.SELECT:
        return element_of(term.args[0], term.args[1], names)
    return None


class IntegerPrinter:
    """Prints one comparison of integers; ``condition`` prints the conditions inside ``ite``."""

    def __init__(self, names: Names, condition: Callable[[Term], str]) -> None:
        self._names = names
        self._condition = condition
        self._bounds: dict[Term, Interval] = {}

    def comparison(self, operator: str, left: Term, right: Term) -> str:
        left, right = arranged(left, right)
        width = self._width((left, right))
        return f"{self._text(left, width)} {operator} {self._text(right, width)}"

    # ---- bounds ---------------------------------------------------------------------------

    def _width(self, roots: Iterable[Term]) -> Width:
        wanted: list[Interval] = []
        stack = list(roots)
        while stack:
            term = stack.pop()
            wanted.append(self._interval(term))
            if term.op == Op.ITE:
                stack += term.args[1:]
            elif term.op != Op.SELECT:
                stack += term.args
        low, high = min(a for a, _ in wanted), max(z for _, z in wanted)
        for width in _WIDTHS:
            if width.least <= low and high <= width.greatest:
                return width
        raise NotExpressible("values that no C type holds")

    def _interval(self, term: Term) -> Interval:
        found = self._bounds.get(term)
        if found is None:
            found = self._bounds[term] = self._interval_of(term)
        return found

    def _interval_of(self, term: Term) -> Interval:
        if term.op == Op.CONST:
            return (term.payload, term.payload)
        named = leaf(term, self._names)
        if named is not None:
            if not isinstance(named.type, Int):
                raise NotExpressible(f"{named.text} is not an integer")
            return (named.type.least, named.type.greatest)
        if term.op == Op.ITE:
            arms = [self._interval(arm) for arm in term.args[1:]]
            return (min(a for a, _ in arms), max(z for _, z in arms))
        if term.op not in (Op.ADD, Op.MUL, Op.DIV, Op.MOD):
            raise NotExpressible(f"the operator {term.op}")
        parts = [self._interval(arg) for arg in term.args]
        if term.op == Op.ADD:
            return (sum(a for a, _ in parts), sum(z for _, z in parts))
        if term.op == Op.MUL:
            return _product(parts)
        divisor = _divisor(term)
        if term.op == Op.MOD:
            return (min(0, parts[0][0]), max(2 * divisor, parts[0][1]))  # with room for the correction
        return (min(parts[0][0] // divisor, parts[0][0]), max(parts[0][1], 1))

    # ---- text -----------------------------------------------------------------------------

    def _text(self, term: Term, width: Width, nested: bool = False) -> str:
        if term.op == Op.CONST:
            return constant(term.payload, width)
        named = leaf(term, self._names)
        if named is not None:
            return _cast(named, width)
        if term.op == Op.ADD:
            text = self._sum(term, width)
            return f"({text})" if nested else text
        if term.op == Op.MUL:
            return " * ".join(self._text(arg, width, nested=True) for arg in term.args)
        if term.op == Op.ITE:
            then, otherwise = (self._text(arm, width, nested=True) for arm in term.args[1:])
            return f"(({self._condition(term.args[0])}) ? {then} : {otherwise})"
        return self._division(term, width)

    def _sum(self, term: Term, width: Width) -> str:
        pieces = []
        for position, arg in enumerate(term.args):
            factor, base = split_coefficient(arg)
            if position and factor < 0 and not arg.is_const:
                positive = b.mul(b.integer(-int(factor)), base)
                pieces.append(f" - {self._text(positive, width, nested=True)}")
            elif position and arg.is_const and arg.payload < 0:
                pieces.append(f" - {constant(-arg.payload, width)}")
            else:
                pieces.append(f"{' + ' if position else ''}{self._text(arg, width, nested=True)}")
        return "".join(pieces)

    def _division(self, term: Term, width: Width) -> str:
        """SMT-LIB's division rounds down, C's towards zero; the remainder follows."""
        divisor = _divisor(term)
        text, shown = self._text(term.args[0], width, nested=True), constant(divisor, width)
        natural = self._interval(term.args[0])[0] >= 0
        if term.op == Op.DIV:
            return f"({text} / {shown})" if natural else f"({text} / {shown} - ({text} % {shown} < 0))"
        if natural:
            return f"({text} % {shown})"
        return f"(({text} % {shown} + {shown}) % {shown})"


def arranged(left: Term, right: Term) -> tuple[Term, Term]:
    """The same comparison with positive coefficients only: negative parts change sides."""
    sides: tuple[list[Term], list[Term]] = ([], [])
    for term, here, there in ((left, *sides), (right, sides[1], sides[0])):
        for part in term.args if term.op == Op.ADD else (term,):
            factor, base = split_coefficient(part) if not part.is_const else (part.payload, b.integer(1))
            if factor < 0:
                there.append(b.mul(b.integer(-int(factor)), base))
            elif factor > 0:
                here.append(part)
    return b.sum_(sides[0]), b.sum_(sides[1])


def _product(parts: list[Interval]) -> Interval:
    low, high = parts[0]
    for first, last in parts[1:]:
        corners = [x * y for x in (low, high) for y in (first, last)]
        low, high = min(corners), max(corners)
    return low, high


def _divisor(term: Term) -> int:
    divisor = term.args[1]
    if not divisor.is_const or not isinstance(divisor.payload, int) or divisor.payload <= 0:
        raise NotExpressible("division by something else than a positive constant")
    return divisor.payload


def constant(value: int, width: Width) -> str:
    if value == width.least and width.least < 0:
        return f"(-{-(value + 1)}{width.suffix} - 1)"
    return f"{value}{width.suffix}" if value >= 0 else f"(-{-value}{width.suffix})"


def _cast(named: Name, width: Width) -> str:
    assert isinstance(named.type, Int)
    if width is _INT:
        return named.text  # narrower types promote to int by themselves
    return f"({width.spelling}){named.text}"
