"""A battery as one structure: the monitor gets it from the program and hands it on as such."""

from revet.streams import Array, Bool, Spec, Struct, Word16, extern, maximum, minimum

CELL = Struct("cell", millivolts=Word16, charging=Bool)
BATTERY = Struct("battery", temperature=Word16, cells=Array(CELL, 3))


def data(*volts: int) -> dict[str, object]:
    return {"temperature": 290, "cells": [{"millivolts": v, "charging": v < 3500} for v in volts]}


def structs() -> Spec:
    battery = extern("battery", BATTERY, sample=[data(3600, 3590, 3610), data(3600, 3300, 3610)])
    volts = [cell.millivolts for cell in battery.cells]
    highest = maximum(volts[0], maximum(volts[1], volts[2]))
    lowest = minimum(volts[0], minimum(volts[1], volts[2]))
    spec = Spec("structs")
    spec.observer("spread", highest - lowest)
    spec.trigger("unbalanced", highest - lowest > 200, [battery])
    spec.trigger("overheated", battery.temperature > 330, [battery.temperature, battery.cells])
    return spec
