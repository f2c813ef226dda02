"""A thermostat: the heater goes on when it gets cold and off when it gets warm; in between it stays."""

from revet.streams import Int32, Spec, Word8, cast, extern, forall, implies

RAW = [60, 72, 75, 84, 90, 88, 79, 70]


def heater() -> Spec:
    raw = extern("raw_temperature", Word8, sample=RAW)
    celsius = cast(raw, Int32) * 150 // 255 - 50
    cold, warm = celsius < -6, celsius > 1
    spec = Spec("heater")
    spec.trigger("heat_on", cold, [celsius])
    spec.trigger("heat_off", warm, [celsius])
    spec.prop("never both", forall(~(cold & warm)))
    spec.prop("the raw value decides", forall(implies(raw == 0, cold)))
    return spec
