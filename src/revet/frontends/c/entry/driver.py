"""The driver of an entry: its C text for each file, and what a run that starts in it assumes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from revet.frontends.c import ast
from revet.frontends.c.entry.filling import Filling, Place, Shape
from revet.frontends.c.entry.shapes import used_as_arrays
from revet.frontends.c.types import Array, DataModel, Pointer

PREFIX = "revet_drive_"
DRIVER_FILE = "driver of "  # what stands in place of a file in positions
COMMAND_LINE = f"{DRIVER_FILE}main()"
_SHOWN = 6  # names in an assumption


@dataclass(frozen=True, slots=True)
class Wanted:
    """How an entry is called: see the fields ``entry_…`` of the options."""

    function: str
    pointers: str = "valid"
    globals: str = "initialised"
    depth: int = 2
    length: int = 1 << 20
    assume: tuple[str, ...] = ()

    @property
    def plain(self) -> str:
        """The function's name; ``function`` may be ``file.c:name``."""
        return self.function.rpartition(":")[2]

    def is_in(self, file: Path) -> bool:
        """May the entry be defined in this file?"""
        named = self.function.rpartition(":")[0]
        return not named or file == Path(named) or file.name == named

    def shape(self, model: DataModel) -> Shape:
        return Shape(model.size_type, self.pointers, self.depth, self.length)


@dataclass(frozen=True, slots=True)
class Driver:
    """``texts``: what is written at the end of each file, by the file's number; ``function``: where the run
    starts; ``entry``: the function that is checked; ``file``: what the driver is called in places."""

    entry: str
    function: str
    file: str
    texts: Mapping[int, str]
    assumptions: tuple[str, ...] = field(default=())

    @property
    def text(self) -> str:
        """All of it, for people."""
        return "\n".join(self.texts.values())


def make_driver(
    program: ast.CProgram, entry: ast.FunctionDef, unit: int, units: Mapping[ast.Variable, int],
    wanted: Wanted, keep: bool = False,
) -> Driver:
    """The driver of a function that the file number ``unit`` defines. ``units`` are the files of the
    globals. ``keep``: the pointer that it returns leads on to what it leads to, until the run ends."""
    plain = entry.name.partition("#")[0]
    function = PREFIX + plain
    filling = Filling(wanted.shape(program.data_model), entry.position)
    names = _names(entry, plain)
    arrays = used_as_arrays(program)
    for parameter, name, text in zip(entry.parameters, names, entry.spelled, strict=True):
        string = text == "char *" and parameter.constant
        filling.fill(Place(name, name, parameter.type, text, array=parameter in arrays, string=string))
    for condition in wanted.assume:
        filling.assume(_one_line(condition))
    texts: dict[int, str] = {}
    said: list[str] = []
    calls: list[str] = []
    if wanted.globals == "any":
        calls, said = _globals(program, units, wanted, texts, plain)
    texts[unit] = texts.get(unit, "") + _function(function, plain, entry, names, filling, calls, keep)
    texts = {number: _MACROS + text for number, text in texts.items()}
    assumptions = (*_assumptions(plain, filling, wanted), *said)
    return Driver(plain, function, f"{DRIVER_FILE}{plain}()", texts, assumptions)


_MACROS = "\n#undef revet_length\n#define revet_length(pointer) revet_length_##pointer\n"


def _names(entry: ast.FunctionDef, plain: str) -> list[str]:
    """The parameters' own names, so that conditions can use them."""
    return [
        parameter.name if parameter.name and parameter.name != plain else f"revet_argument{number}"
        for number, parameter in enumerate(entry.parameters, 1)
    ]


def _function(
    name: str, plain: str, entry: ast.FunctionDef, names: Sequence[str], filling: Filling,
    calls: Sequence[str], keep: bool,
) -> str:
    declared = [f"  __SIZE_TYPE__ {one} = 0;" for one in filling.lengths]
    for one, text in zip(names, entry.spelled, strict=True):
        declared.append(f"  __typeof__({text}) {one};")
    call = f"{plain}({', '.join(names)});"
    if keep and isinstance(entry.type.result, Pointer):  # a block that is returned is the caller's
        declared.append("  static const void *revet_result;")
        call = f"revet_result = (const void *){call}"
    else:
        call = f"(void){call}"
    body = [*(f"  {call}();" for call in calls), *filling.lines, f"  {call}"]
    head = [*(f"void {call}(void);" for call in calls), *filling.used.values(), *filling.callbacks]
    return "\n".join([*head, f"void {name}(void) {{", *declared, *body, "}", ""])


def _globals(
    program: ast.CProgram, units: Mapping[ast.Variable, int], wanted: Wanted, texts: dict[int, str],
    plain: str,
) -> tuple[list[str], list[str]]:
    """Functions that give the globals of each file any value; what is left as it is initialised."""
    fillings: dict[int, Filling] = {}
    left: list[str] = []
    for variable in program.globals:
        if variable.external or variable.constant or variable.name.startswith("revet_"):
            continue
        unit = units.get(variable)
        if variable.function is not None or unit is None or _incomplete(variable):
            left.append(variable.name)
            continue
        filling = fillings.setdefault(unit, Filling(wanted.shape(program.data_model), variable.position))
        filling.fill(Place(variable.name, variable.name, variable.type, variable.spelled))
    calls = []
    for unit, filling in fillings.items():
        call = f"revet_globals{unit}_{plain}"
        calls.append(call)
        lengths = [f"  __SIZE_TYPE__ {one} = 0;" for one in filling.lengths]
        head = [*filling.used.values(), *filling.callbacks, f"void {call}(void) {{"]
        texts[unit] = "\n".join([*head, *lengths, *filling.lines, "}", ""])
    said = [line for filling in fillings.values() for line in _about_objects(filling, wanted)]
    if left:
        said.append(f"as they are initialised: {_list(left)} (static variables of functions)")
    return calls, said


def _incomplete(variable: ast.Variable) -> bool:
    return isinstance(variable.type, Array) and variable.type.count is None


def _assumptions(plain: str, filling: Filling, wanted: Wanted) -> list[str]:
    globals_ = "any globals" if wanted.globals == "any" else "globals as they are initialised"
    said = [f"the run starts in {plain}(), with any arguments and {globals_} (--entry-globals)"]
    said += _about_objects(filling, wanted)
    said += [f"{_one_line(condition)} (--entry-assume)" for condition in wanted.assume]
    return said


def _about_objects(filling: Filling, wanted: Wanted) -> list[str]:
    said = []
    if filling.single or filling.arrays:
        how = {
            "valid": "not null, and to objects of their own",
            "may-be-null": "null, or to objects of their own",
            "may-alias": "null, to objects of their own, or where another of the same type leads",
        }[wanted.pointers]
        said.append(f"pointers lead {how} (--entry-pointers {wanted.pointers})")
    if filling.single:
        said.append(f"one object behind {_list(filling.single)}")
    if filling.arrays:
        which = _list(filling.arrays)
        said.append(f"arrays of 1 to {wanted.length} elements behind {which} (--entry-length)")
    if filling.strings:
        said.append(f"the last element is 0 in {_list(filling.strings)}")
    if filling.ended:
        said.append(f"null beyond depth {wanted.depth}: {_list(filling.ended)} (--entry-depth)")
    if filling.zeroed:
        said.append(f"zero, being a union with pointers or without a name: {_list(filling.zeroed)}")
    if filling.callbacks:
        said.append("functions that are passed as arguments return any value and change nothing")
    return said


def _list(names: Sequence[str]) -> str:
    found = list(dict.fromkeys(names))
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return ", ".join(found[:_SHOWN]) + more


def _one_line(condition: str) -> str:
    return " ".join(condition.split())
