"""Arithmetic as and-gates: words of literals, least significant bit first.

Literals are those of :mod:`revet.model.circuit`. Each different gate is made once, and none that the gates
below its arguments show to be another signal, or an *and* of nearer ones (Brummayer, Biere: *Local
two-level and-inverter graph minimization without blowup*, MEMICS 2006; and the same for a choice whose
condition is known).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.model.circuit_cnf import as_multiplexer

if TYPE_CHECKING:
    from collections.abc import Sequence

Word = list[int]

FALSE, TRUE = 0, 1


class Gates:
    """Collects gates; ``first`` is the number that the first one gets."""

    def __init__(self, first: int) -> None:
        self.first = first
        self.left: list[int] = []
        self.right: list[int] = []
        self._table: dict[tuple[int, int], int] = {}

    def and_(self, a: int, b: int) -> int:
        if a < b:
            a, b = b, a
        if b <= TRUE:
            return a if b else FALSE
        if a ^ b <= 1:
            return a if a == b else FALSE
        found = self._table.get((a, b))
        if found is None:
            found = self._simpler(a, b) if a >> 1 >= self.first else None
            if found is None:
                found = 2 * (self.first + len(self.left))
                self.left.append(a)
                self.right.append(b)
            self._table[a, b] = found
        return found

    def _simpler(self, a: int, b: int) -> int | None:
        """What *a and b* is without a gate for it, if the gates below say so; a comes after b.

        Signals among the gates that are none, as subclasses have them, have negative arguments."""
        first, left, right = self.first, self.left, self.right
        p, q = left[(a >> 1) - first], right[(a >> 1) - first]
        if p < 0:
            return None
        if a & 1:
            if b in (p ^ 1, q ^ 1):
                return b
            if b in (p, q):
                return self.and_(b, (q if b == p else p) ^ 1)
        elif b in (p, q):
            return a
        elif b in (p ^ 1, q ^ 1):
            return FALSE
        known: tuple[int, ...] = (b,)
        if b >> 1 >= first and left[(b >> 1) - first] >= 0:
            r, s = left[(b >> 1) - first], right[(b >> 1) - first]
            found = self._of_two(a, p, q, b, r, s)
            if found is not None:
                return found
            if not a & 1:
                found = self._chosen(b, r, s, (p, q))
                if found is not None:
                    return self.and_(a, found)
            if not b & 1:
                known = (b, r, s)
        found = self._chosen(a, p, q, known)
        return None if found is None else self.and_(b, found)

    def _of_two(self, a: int, p: int, q: int, b: int, r: int, s: int) -> int | None:
        """The same, where a is *p and q* or its negation, and b *r and s* or its negation."""
        if a & b & 1:
            if (p == r and q ^ s == 1) or (p == s and q ^ r == 1):
                return p ^ 1
            return q ^ 1 if (q == s and p ^ r == 1) or (q == r and p ^ s == 1) else None
        if not (a | b) & 1:
            return FALSE if 1 in (p ^ r, p ^ s, q ^ r, q ^ s) else None
        if a & 1:  # a is the one that is not negated from here on
            a, p, q, r, s = b, r, s, p, q
        if 1 in (p ^ r, p ^ s, q ^ r, q ^ s):
            return a
        if r in (p, q):
            return self.and_(a, s ^ 1)
        return self.and_(a, r ^ 1) if s in (p, q) else None

    def _chosen(self, gate: int, p: int, q: int, known: tuple[int, ...]) -> int | None:
        """The value of the gate, *p and q* or its negation, if it chooses by one of the literals that are
        known to be true."""
        first, left, right = self.first, self.left, self.right
        if not (p & q & 1 and p >> 1 >= first and q >> 1 >= first):
            return None
        one, two = (p >> 1) - first, (q >> 1) - first
        choice = as_multiplexer(left[one], right[one], left[two], right[two])
        if choice is None or left[one] < 0 or left[two] < 0:
            return None
        condition, then, otherwise = choice
        if condition in known:
            return then ^ (gate & 1)
        return otherwise ^ (gate & 1) if condition ^ 1 in known else None

    def or_(self, a: int, b: int) -> int:
        return self.and_(a ^ 1, b ^ 1) ^ 1

    def xor(self, a: int, b: int) -> int:
        return self.and_(self.and_(a, b) ^ 1, self.and_(a ^ 1, b ^ 1) ^ 1)

    def ite(self, condition: int, then: int, otherwise: int) -> int:
        if then == otherwise:
            return then
        return self.and_(self.and_(condition, then ^ 1) ^ 1, self.and_(condition ^ 1, otherwise ^ 1) ^ 1)

    def all(self, literals: Sequence[int]) -> int:
        result = TRUE
        for literal in literals:
            result = self.and_(result, literal)
        return result

    # Words

    def choose(self, condition: int, then: Word, otherwise: Word) -> Word:
        return [self.ite(condition, x, y) for x, y in zip(then, otherwise, strict=True)]

    def add(self, a: Word, b: Word, carry: int = FALSE) -> Word:
        return self._add(a, b, carry)[0]

    def _add(self, a: Word, b: Word, carry: int) -> tuple[Word, int]:
        total = []
        for x, y in zip(a, b, strict=True):
            half = self.xor(x, y)
            total.append(self.xor(half, carry))
            carry = self.or_(self.and_(x, y), self.and_(half, carry))
        return total, carry

    def sub(self, a: Word, b: Word) -> Word:
        return self.add(a, inverted(b), TRUE)

    def negate(self, a: Word) -> Word:
        return self.add([FALSE] * len(a), inverted(a), TRUE)

    def absolute(self, a: Word) -> Word:
        return self.choose(a[-1], self.negate(a), a)

    def multiply(self, a: Word, b: Word) -> Word:
        width = len(a)
        total = [FALSE] * width
        for n, bit in enumerate(b):
            if bit != FALSE:
                row = [FALSE] * n + [self.and_(bit, x) for x in a[: width - n]]
                total = self.add(total, row)
        return total

    def equal(self, a: Word, b: Word) -> int:
        return self.all([self.xor(x, y) ^ 1 for x, y in zip(a, b, strict=True)])

    def less(self, a: Word, b: Word) -> int:
        """Unsigned: the subtraction borrows."""
        return self._add(a, inverted(b), TRUE)[1] ^ 1

    def less_signed(self, a: Word, b: Word) -> int:
        return self.less([*a[:-1], a[-1] ^ 1], [*b[:-1], b[-1] ^ 1])

    def divide(self, a: Word, b: Word) -> tuple[Word, Word]:
        """Unsigned quotient and remainder; by zero, all ones and ``a``, as SMT-LIB has it."""
        width = len(a)
        rest = [FALSE] * width
        quotient = [FALSE] * width
        for n in range(width - 1, -1, -1):
            # One bit more, so that the shifted remainder fits.
            shifted = [a[n], *rest]
            difference, carry = self._add(shifted, inverted([*b, FALSE]), TRUE)
            quotient[n] = carry
            rest = self.choose(carry, difference, shifted)[:width]
        return quotient, rest

    def divide_signed(self, a: Word, b: Word) -> tuple[Word, Word]:
        """Rounded towards zero; the remainder has the sign of ``a``."""
        quotient, rest = self.divide(self.absolute(a), self.absolute(b))
        quotient = self.choose(self.xor(a[-1], b[-1]), self.negate(quotient), quotient)
        return quotient, self.choose(a[-1], self.negate(rest), rest)

    def modulo_signed(self, a: Word, b: Word) -> Word:
        """The remainder with the sign of ``b``."""
        _, rest = self.divide_signed(a, b)
        zero = self.equal(rest, [FALSE] * len(rest))
        fits = self.or_(zero, self.xor(rest[-1], b[-1]) ^ 1)
        nothing = self.equal(b, [FALSE] * len(b))
        return self.choose(self.or_(fits, nothing), rest, self.add(rest, b))

    def shift(self, a: Word, amount: Word, left: bool, fill: int) -> Word:
        """By a word; ``fill`` comes in, and is all that is left beyond the width."""
        width, result = len(a), a
        too_far = FALSE
        for n, bit in enumerate(amount):
            by = 1 << n
            if by >= width:
                too_far = self.or_(too_far, bit)
                continue
            moved = [fill] * by + result[:-by] if left else result[by:] + [fill] * by
            result = self.choose(bit, moved, result)
        return self.choose(too_far, [fill] * width, result)


def inverted(word: Word) -> Word:
    return [x ^ 1 for x in word]
