"""Two waves: functions that the solver does not have, but whose range it knows."""

from revet.streams import Double, Spec, cos, extern, forall, is_nan, pi, sin


def waves() -> Spec:
    t = extern("time", Double, sample=[0.0, 0.5, 1.0, 1.5])
    first, second = sin(t * 2.0), cos(t) * pi(Double)
    spec = Spec("waves")
    spec.observer("first", first)
    spec.observer("second", second)
    spec.trigger("high", first > 0.9, [first])
    spec.prop("bounded", forall((first <= 1.0) | is_nan(first)))
    return spec
