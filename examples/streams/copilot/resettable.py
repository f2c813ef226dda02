"""A counter that events advance and a button sets back, and that stops at its limit."""

from revet.streams import Bool, Spec, Word16, declare, extern, forall, implies, mux


def resettable() -> Spec:
    event = extern("event", Bool, sample=[True, True, False, True, True, True])
    button = extern("button", Bool, sample=[False, False, False, False, True, False])
    count = declare(Word16)
    before = [0] @ count
    count.define(mux(button, 0, mux(event & (before < 3), before + 1, before)))
    spec = Spec("resettable")
    spec.observer("count", count)
    spec.trigger("full", count == 3)
    spec.prop("never above the limit", forall(count <= 3))
    spec.prop("the button works", forall(implies(button, count == 0)))
    return spec
