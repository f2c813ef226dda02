"""Past-time logic: a request that is not withdrawn is answered before the next one comes."""

from revet.streams import Bool, Spec, extern, forall, implies
from revet.streams.library import ptltl


def past() -> Spec:
    request = extern("request", Bool, sample=[False, True, False, False, True, False])
    answer = extern("answer", Bool, sample=[False, False, True, False, False, False])
    waiting = ptltl.since(~answer, request & ~answer)
    again = request & ptltl.previous(waiting) & ~answer
    spec = Spec("past")
    spec.observer("waiting", waiting)
    spec.observer("quiet so far", ptltl.always_been(~request))
    spec.trigger("ignored", again)
    spec.prop("who waits has asked", forall(implies(waiting, ptltl.eventually_prev(request))))
    return spec
