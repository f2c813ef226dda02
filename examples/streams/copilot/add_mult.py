"""Sums and products of streams that run in circles, with all that machine integers do when they are full."""

from revet.streams import Int8, Spec, forall, recursive
from revet.streams.library.cases import cycle


def add_mult() -> Spec:
    x, y = cycle([1, 2, 3], Int8), cycle([100, -100], Int8)
    total = recursive(Int8, lambda t: [0] @ (t + x * y))
    spec = Spec("add_mult")
    spec.observer("product", x * y)
    spec.observer("total", total)
    spec.trigger("negative", total < 0, [total, x * y + 1])
    spec.prop("distributive", forall((x + y) * x == x * x + y * x))
    return spec
