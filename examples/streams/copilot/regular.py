"""A regular expression over instants: start, some readings, and stop, again after each reset."""

from revet.streams import Bool, Spec, extern, forall, implies
from revet.streams.library.regular import match


def regular() -> Spec:
    start = extern("start", Bool, sample=[True, False, False, False, True, False])
    read = extern("read", Bool, sample=[False, True, True, False, False, False])
    stop = extern("stop", Bool, sample=[False, False, False, True, False, True])
    session = match("<start><read>*<stop>", {"start": start, "read": read, "stop": stop}, start)
    spec = Spec("regular")
    spec.observer("session", session)
    spec.trigger("finished", session)
    spec.prop("a session ends with stop", forall(implies(session, stop)))
    return spec
