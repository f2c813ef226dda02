"""Streams of Laurent's slides on Copilot (2014): Fibonacci numbers, mutual recursion, a counter made of
bits, and small proofs.

    python examples/streams/slides.py
"""

from revet.streams import Bool, Integer, Spec, Stream, Word64, conjunction, declare, exists, forall, mux


def bit_counter(bits: int) -> list[Stream]:
    """Metaprogramming: a program that writes one stream a bit. Each flips when all lower ones are set."""
    lower: list[Stream] = []
    for number in range(bits):
        bit = declare(Bool, f"b{number}")
        bit.define([False] @ mux(conjunction(lower), ~bit, bit))
        lower.append(bit)
    return lower


def numbers() -> Spec:
    fib = declare(Word64, "fib")
    fib.define([1, 1] @ (fib + fib.drop(1)))
    evens, odds = declare(Word64, "evens"), declare(Word64, "odds")
    evens.define([0] @ (1 + odds))
    odds.define(1 + evens)
    spec = Spec("numbers")
    for name, stream in (("fib", fib), ("evens", evens), ("odds", odds)):
        spec.observer(name, stream)
    for number, bit in enumerate(bit_counter(4)):
        spec.observer(f"bit{number}", bit)
    return spec


def proofs() -> Spec:
    """The first two are those that KIND 2's IC3 could not prove when the slides were written."""
    x, n, y, e = (declare(Integer, name) for name in "xnye")
    x.define([1] @ (1 + x))
    n.define([0] @ (1 + n))
    y.define([1] @ (n + y))
    e.define([4] @ mux(e == 10, 0, e + 2))
    spec = Spec("proofs")
    spec.prop("x is not 0", forall(x != 0))
    spec.prop("y is not negative", forall(y >= 0))
    spec.prop("y grows slowly", forall(y <= 3))
    spec.prop("e becomes 8", exists(e == 8))
    spec.prop("e becomes 7", exists(e == 7))
    return spec


def lemmas() -> Spec:
    """Incremental strengthening by hand: y >= 1 is not inductive (x = -2, y = 1 leads out of it), but it is
    inductive relative to x >= 0, which is inductive by itself."""
    x, y = declare(Integer, "x"), declare(Integer, "y")
    x.define([0] @ (1 + x))
    y.define([1] @ (x + y))
    spec = Spec("lemmas")
    spec.prop("y is positive, alone", forall(y >= 1))
    spec.lemma("x is not negative", forall(x >= 0))
    spec.theorem("y is positive", forall(y >= 1), using=["x is not negative"])
    return spec


if __name__ == "__main__":
    print(numbers().interpret(12))
    for proof in proofs().prove().values():
        print(proof)
