"""A linear congruential generator beside a shift register, and a coin that both decide."""

from revet.streams import Spec, Word16, Word32, cast, exists, forall, recursive


def random_numbers() -> Spec:
    lcg = recursive(Word32, lambda x: [1] @ (x * 1664525 + 1013904223))
    register = recursive(
        Word16, lambda r: [44257] @ ((r >> 1) | ((r ^ (r >> 2) ^ (r >> 3) ^ (r >> 5)) << 15))
    )
    coin = (cast(lcg >> 16, Word16) ^ register) & 1
    spec = Spec("random_numbers")
    spec.observer("lcg", lcg)
    spec.observer("register", register)
    spec.trigger("heads", coin == 1, [lcg, register])
    spec.prop("a coin", forall(coin <= 1))
    spec.prop("heads can come", exists(coin == 1))
    return spec
