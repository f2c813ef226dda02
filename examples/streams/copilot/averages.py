"""Statistics of the last four readings: mean, least, greatest, and how far they are apart."""

from revet.streams import Int32, Spec, extern, forall
from revet.streams.library.statistics import maximum, mean, minimum


def averages() -> Spec:
    reading = extern("reading", Int32, sample=[8, 12, 4, 16, 0, 100])
    low, high = minimum(4, reading, 0), maximum(4, reading, 0)
    spec = Spec("averages")
    spec.observer("mean", mean(4, reading))
    spec.observer("low", low)
    spec.observer("high", high)
    spec.trigger("jump", (high > 50) & (low < 10), [low, high])
    spec.prop("in order", forall((low <= reading) & (reading <= high)))
    return spec
