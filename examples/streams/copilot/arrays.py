"""An array passed to a trigger as an array, and read at a place that another stream says."""

from revet.streams import Array, Int32, Spec, Word8, cast, extern, forall, implies


def arrays() -> Spec:
    readings = extern("readings", Array(Int32, 3), sample=[[4, 8, -2], [4, 9, 0], [5, 9, 7]])
    place = extern("place", Word8, sample=[0, 2, 9])
    chosen = readings[place]
    spec = Spec("arrays")
    spec.observer("chosen", chosen)
    spec.trigger("negative", readings[2] < 0, [readings, cast(place, Word8)])
    spec.prop("the last one stands for what lies beyond", forall(implies(place > 2, chosen == readings[2])))
    return spec
