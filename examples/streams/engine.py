"""An engine monitor: three probes measure a temperature, and two of them must agree (from Laurent's slides).

    python examples/streams/engine.py [FOLDER]

Interprets the monitor on sample data, proves its properties, and compiles it to C99.
"""

import sys

from revet.streams import Bool, Spec, Word8, all_constants, extern, forall, implies
from revet.streams.library.voting import has_majority, majority


def engine() -> Spec:
    probes = [
        extern("tmp_probe_1", Word8, sample=[240, 251, 252, 253, 253, 100]),
        extern("tmp_probe_2", Word8, sample=[241, 100, 252, 253, 100, 100]),
        extern("tmp_probe_3", Word8, sample=[242, 242, 250, 253, 253, 100]),
    ]
    cooler = extern("cooler", Bool, sample=[True, False, False, True, False, False])
    exceed = [probe > 250 for probe in probes]
    maj = majority(exceed)
    ok = implies(maj & has_majority(maj, exceed), cooler)
    spec = Spec("engine")
    spec.observer("too_hot", maj)
    spec.trigger("shutoff", ~ok, [maj])
    spec.prop(
        "no other value has a majority",
        forall(all_constants(Bool, lambda value: implies(maj != value, ~has_majority(value, exceed)))),
    )
    spec.prop("the cooler is never needed", forall(ok))
    return spec


if __name__ == "__main__":
    monitor = engine()
    print(monitor.interpret(6))
    for proof in monitor.prove().values():
        print(proof)
    if len(sys.argv) > 1:
        monitor.compile_c(sys.argv[1])
        print(f"engine.h, engine.c and engine_driver.c are in {sys.argv[1]}")
