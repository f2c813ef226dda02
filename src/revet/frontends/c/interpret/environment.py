"""What the environment gives to ``main``: the number of arguments, and the arguments."""

from __future__ import annotations

from revet.frontends.c.ast import Variable
from revet.frontends.c.interpret.machine import Machine, Stop
from revet.frontends.c.types import Int, size_of

_MOST_ARGUMENTS = 1000
_LENGTH = 16  # bytes of a string; all of them zero unless the run's draws say more


def chosen_count(m: Machine, parameter: Variable) -> int:
    """The value of ``argc``: the run's, or one. It is not negative."""
    size = size_of(parameter.type)
    chosen = m.draws.uninitialised(parameter, size)
    if callable(chosen):
        chosen = chosen(0, parameter.type, size)
    assert isinstance(parameter.type, Int)
    count = 1 if chosen is None else parameter.type.wrap(int.from_bytes(chosen, "little"))
    if count < 0:
        raise Stop("assume", "the number of arguments is not negative", parameter.position)
    return count


def argument_strings(m: Machine, count: int) -> int:
    """The address of ``argv``: pointers to ``count`` strings, and a null pointer."""
    if count > _MOST_ARGUMENTS:
        raise Stop("limit", f"{count} arguments of main")
    each = m.program.data_model.pointer_size
    array = m.memory.allocate("argv", (count + 1) * each, "variable")
    for number in range(count):
        text = m.memory.allocate(f"argv[{number}]", _LENGTH, "variable", written=False)
        start = number * each
        address = m.memory.address_of(text)
        array.data[start : start + each] = address.to_bytes(each, "little")
        array.address_written(start, each, address)
    return m.memory.address_of(array)
