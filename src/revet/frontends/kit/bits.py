"""Signed division of bit patterns, for the interpreters of languages that have it.

They do not use the operators of terms: an interpreter shall not repeat a mistake of the lowering.
By zero the results are SMT-LIB's, which BTOR2 and Boogie's builtins share.
"""

from __future__ import annotations


def signed(bits: int, width: int) -> int:
    """The number that a pattern stands for in two's complement."""
    return bits - (1 << width) if bits >> (width - 1) else bits


def sdiv(a: int, b: int, width: int) -> int:
    """Towards zero."""
    x, y = signed(a, width), signed(b, width)
    if y == 0:
        return 1 if x < 0 else -1
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


def srem(a: int, b: int, width: int) -> int:
    """With the sign of the dividend."""
    x, y = signed(a, width), signed(b, width)
    return x if y == 0 else abs(x) % abs(y) * (-1 if x < 0 else 1)


def smod(a: int, b: int, width: int) -> int:
    """With the sign of the divisor."""
    x, y = signed(a, width), signed(b, width)
    return x if y == 0 else x % y
