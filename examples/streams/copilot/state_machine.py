"""A landing gear: up, lowering, down, raising, as a table of transitions."""

from revet.streams import Bool, Spec, extern, forall
from revet.streams.library.state_machine import state_machine

UP, LOWERING, DOWN, RAISING = range(4)


def landing_gear() -> Spec:
    lever = extern("lever_down", Bool, sample=[False, True, True, True, False, False])
    locked = extern("locked", Bool, sample=[True, False, False, True, False, True])
    state = state_machine(
        UP,
        [
            (UP, lever, LOWERING), (LOWERING, locked, DOWN), (DOWN, ~lever, RAISING),
            (RAISING, locked, UP), (LOWERING, ~lever, RAISING), (RAISING, lever, LOWERING),
        ],
    )
    spec = Spec("landing_gear")
    spec.observer("state", state)
    spec.trigger("warn", (state == DOWN) & ~lever, [state])
    spec.prop("no other state", forall(state <= RAISING))
    return spec
