"""A histogram in a stream of arrays: each instant one of its elements grows."""

from revet.streams import Array, Spec, Word8, Word16, declare, extern, forall, update


def array_updates() -> Spec:
    kind = extern("kind", Word8, sample=[0, 1, 1, 3, 7, 1])
    counts = declare(Array(Word16, 4))
    before = [[0, 0, 0, 0]] @ counts
    counts.define(update(before, kind, lambda n: n + 1))
    spec = Spec("array_updates")
    spec.observer("counts", counts)
    spec.trigger("report", kind == 3, [counts])
    spec.prop("one more", forall(counts[kind] == before[kind] + 1))
    return spec
