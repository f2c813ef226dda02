"""Numbers of other types: bits to numbers, wider, narrower, and with a sign."""

from revet.streams import Int8, Int32, Int64, Spec, Word8, Word16, cast, counter, forall


def casts() -> Spec:
    n = counter(Word8)
    spec = Spec("casts")
    spec.observer("bit", cast(n % 2 == 1, Word16))
    spec.observer("signed", cast(n + 250, Int8))
    spec.observer("wide", cast(cast(n + 250, Int8), Int64))
    spec.trigger("odd", n % 2 == 1, [cast(n, Int32) * -1000])
    spec.prop("a wider type keeps the value", forall(cast(cast(n, Int32), Word8) == n))
    spec.prop("a bit is 0 or 1", forall(cast(n > 3, Word8) <= 1))
    return spec
