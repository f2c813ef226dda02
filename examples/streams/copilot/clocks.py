"""Two clocks of the same beat, one made of a ring of bits and one of a counter, tick together."""

from revet.streams import Spec, Word8, counter, forall
from revet.streams.library.clocks import clock, counting_clock


def clocks() -> Spec:
    ring, counted = clock(4, 1), counting_clock(Word8, 4, 1)
    spec = Spec("clocks")
    spec.observer("ring", ring)
    spec.observer("counted", counted)
    spec.trigger("tick", ring, [counter(Word8)])
    spec.prop("together", forall(ring == counted))
    return spec
