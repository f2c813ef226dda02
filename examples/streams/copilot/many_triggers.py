"""Several triggers call one function, each with its own code; within an instant they call in order."""

from revet.streams import Int16, Spec, Word8, constant, extern


def many_triggers() -> Spec:
    speed = extern("speed", Int16, sample=[20, 130, -5, 140])
    fuel = extern("fuel", Word8, sample=[90, 8, 50, 4])
    spec = Spec("many_triggers")
    for code, guard in enumerate([speed > 120, speed < 0, fuel < 10]):
        spec.trigger("warn", guard, [constant(code, Word8), speed])
    spec.trigger("log_fuel", fuel < 10, [fuel])
    return spec
