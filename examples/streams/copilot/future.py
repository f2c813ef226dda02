"""Bounded future-time logic on delayed inputs: after an alarm the valve opens within two instants."""

from revet.streams import Bool, Spec, extern, forall, implies
from revet.streams.library import ltl


def future() -> Spec:
    alarm = [False, False, False] @ extern("alarm", Bool, sample=[False, True, False, False, False])
    valve = [False, False, False] @ extern("valve", Bool, sample=[False, False, False, True] + [False] * 3)
    in_time = implies(alarm, ltl.eventually(2, valve))
    spec = Spec("future")
    spec.observer("in time", in_time)
    spec.trigger("too_late", ~in_time)
    spec.prop("now is in time", forall(implies(alarm & valve, in_time)))
    return spec
