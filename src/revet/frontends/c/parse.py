"""Parsing C with clang: from files to a :class:`revet.frontends.c.ast.CProgram`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from revet.errors import InputError, Unsupported, UsageError, did_you_mean
from revet.frontends.c import ast, libc
from revet.frontends.c.ast import CProgram
from revet.frontends.c.checks import Check
from revet.frontends.c.clang.run import ClangError, Input, folder
from revet.frontends.c.entry import Driver, Wanted, looks_at_arguments, make_driver, make_main_driver
from revet.frontends.c.library.conventions import STREAMS
from revet.frontends.c.reader.edits import Edit, Edited, apply
from revet.frontends.c.reader.endings import AT_EXIT, at_exit
from revet.frontends.c.reader.entries import Distinct
from revet.frontends.c.reader.linkage import Linkage
from revet.frontends.c.reader.source import Source, Sources
from revet.frontends.c.reader.unit import UnitReader
from revet.frontends.c.types import NATIVE, DataModel, Pointer
from revet.frontends.kit.deep import at_any_depth

_MARKER = re.compile(
    rb'^[ \t]*#[ \t]*(?:line[ \t]+)?\d+(?P<file>[ \t]+"(?:[^"\\\n]|\\.)*"(?P<flags>[ \t\d]*))?[ \t]*\r?$',
    re.M,
)
_ASKS_FOR_PLACE = re.compile(rb"\b__(?:LINE|FILE|FILE_NAME|BASE_FILE)__\b")
_MOST = 200 << 20  # bytes of a text
_INCLUDE = Path(__file__).parent / "include"  # where revet.h is
_STREAM_STEP = 4096  # addresses below those of objects
_MOST_NAMES = 8  # in a message


@dataclass(frozen=True)
class Unit:
    """A file, and its text if that is not (or no longer) what the file holds."""

    path: Path
    text: bytes
    changed: bool = False
    marks: tuple[tuple[int, bool], ...] = ()
    """where a preprocessor noted that a header of the system begins (True) or another file (False)"""

    arguments: tuple[str, ...] = ()
    """what clang is told about it: ``-I``, ``-D``, …"""

    appended: tuple[int, str] | None = None
    """where the text of a driver begins that is not in the file, and its name"""

    def for_clang(self, model: DataModel) -> Input:
        return Input(self.path, self.text if self.changed else None, model, self.arguments)


def read_unit(path: Path, arguments: tuple[str, ...] = ()) -> Unit:
    """A file of a program. Line markers are taken out, so that positions are in this file, unless the text
    asks for its lines or name."""
    try:
        if not path.is_file() and path.exists():
            raise InputError(f"{path}: not a file")
        if path.stat().st_size > _MOST:
            raise InputError(f"{path}: a file of more than {_MOST >> 20} MB")
        text = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error
    if b"\0" in text[:4096]:
        raise InputError(f"{path}: a binary file, not a program text")
    if not text.strip():
        raise InputError(f"{path}: the file is empty")
    if b"revet.h" in text:
        arguments = (*arguments, "-idirafter", str(_INCLUDE))
    return unmarked(path, text, arguments=arguments)


def unmarked(
    path: Path, text: bytes, changed: bool = False, arguments: tuple[str, ...] = ()
) -> Unit:
    markers = list(_MARKER.finditer(text))
    if not markers:
        return Unit(path, text, changed, (), arguments)
    marks = tuple((one.end(), b"3" in one["flags"].split()) for one in markers if one["file"] is not None)
    if _ASKS_FOR_PLACE.search(text):  # the markers decide what that means
        return Unit(path, text, changed, marks, arguments)
    return Unit(path, _MARKER.sub(lambda found: b" " * len(found[0]), text), True, marks, arguments)


@at_any_depth
def parse_files(paths: Sequence[Path], model: DataModel = NATIVE) -> CProgram:
    """Read and link the files of a program: all that they define."""
    return parse_units([read_unit(path) for path in paths], model)


@at_any_depth
def parse_text(text: str, name: str = "input.c", model: DataModel = NATIVE) -> CProgram:
    """One text (for tests and for checking witnesses)."""
    return parse_units([unmarked(Path(name), text.encode(), True)], model)


def parse_units(
    units: Sequence[Unit], model: DataModel, approximate: bool = False, entry: Wanted | None = None,
    volatile: str = "plain", checks: frozenset[Check] = frozenset(),
) -> CProgram:
    """Read what a run that starts in ``entry`` can reach; without an entry, all that is defined.

    An entry gets a driver (:mod:`revet.frontends.c.entry`), where the run starts; ``main`` needs none if it
    does not look at its arguments.
    ``approximate``: expressions that cannot be read are in the tree as :class:`ast.Unmodelled`. ``volatile``:
    such objects hold any value at every read (any) or what was written (plain). ``checks``: what the program
    is checked for, which decides how much the models of library functions say.
    """
    read = [_Read(unit, model) for unit in units]
    if entry is None:
        return _settled(read, model, approximate, volatile, None, checks)[0]
    program, linkage = _settled(read, model, approximate, volatile, entry.plain, checks)
    driver: Driver
    if entry.function != "main":
        function, unit = _defined(units, read, linkage, entry)
        owners = {variable: number for (number, _), variable in linkage.globals}
        driver = make_driver(program, function, unit, owners, entry, Check.LEAK in checks)
    elif "main" not in program.functions:
        raise _no_main(units, read)
    elif not looks_at_arguments(program.functions["main"]):
        return program
    else:
        function = program.functions["main"]
        driver = make_main_driver(function, linkage.order["main"][0], entry.length)
    try:
        for number, text in driver.texts.items():
            read[number] = read[number].appended(text, driver.file)
    except ClangError as problem:
        raise Unsupported(f"{driver.file}: {problem.text}\n{driver.text}", function.position) from problem
    program, _ = _settled(read, model, approximate, volatile, driver.function, checks)
    return replace(program, driver=driver)


def _no_main(units: Sequence[Unit], read: Sequence[_Read]) -> InputError:
    """A file without ``main`` can be checked function by function."""
    names = [name for unit in read for name in unit.reader(Linkage(), 0).defined()]
    files = ", ".join(str(unit.path) for unit in units)
    if not names:
        return InputError(f"{files}: there is no function main, nor any other")
    shown = ", ".join(names[:_MOST_NAMES]) + (", …" if len(names) > _MOST_NAMES else "")
    how = "--functions checks every function, --entry NAME one"
    return InputError(f"{files}: there is no function main; {how}: {shown}")


def _defined(
    units: Sequence[Unit], read: Sequence[_Read], linkage: Linkage, entry: Wanted
) -> tuple[ast.FunctionDef, int]:
    """The function that an entry names, and the number of the file that defines it."""
    found = [
        (function, linkage.order[name][0]) for name, function in linkage.functions.items()
        if name.partition("#")[0] == entry.plain
    ]
    found = [(function, number) for function, number in found if entry.is_in(units[number].path)]
    if not found:
        files = ", ".join(str(unit.path) for unit in units)
        names = [name for unit in read for name in unit.reader(Linkage(), 0).defined()]
        hint = did_you_mean(entry.plain, names)
        raise InputError(f"{files}: there is no function {entry.function}; {hint}")
    if len(found) > 1:
        places = " or ".join(f"{units[number].path.name}:{entry.plain}" for _, number in found)
        raise UsageError(f"there are several functions {entry.plain}: write --entry {places}")
    return found[0]


def own_functions(units: Sequence[Unit], model: DataModel) -> list[tuple[Path, list[str]]]:
    """The functions that the files themselves define, not those of headers."""
    return [(unit.path, _Read(unit, model).reader(Linkage(), 0).defined(True)) for unit in units]


def _settled(
    read: list[_Read], model: DataModel, approximate: bool, volatile: str, entry: str | None,
    checks: frozenset[Check],
) -> tuple[CProgram, Linkage]:
    """The program, once nothing asks for another text of one of its files."""
    distinct: set[str] = set()
    while True:
        linkage = Linkage(approximate=approximate, volatile=volatile)
        linkage.records.distinct |= distinct
        try:
            return _linked(read, model, linkage, entry, checks), linkage
        except Edited as changed:
            before = read[changed.unit]
            read[changed.unit] = _Read(before.unit, model, (*before.edits, *changed.edits))
        except Distinct as found:
            if found.tag in distinct:
                raise Unsupported(f"several structures with the tag {found.tag}") from found
            distinct.add(found.tag)


class _Read:
    """A unit and what clang says about it, perhaps with changes to its text."""

    def __init__(self, unit: Unit, model: DataModel, edits: tuple[Edit, ...] = ()) -> None:
        self.unit = unit
        self.edits = edits
        self.model = model
        text, self.way = apply(unit.text, edits)
        changed = replace(unit, text=text, changed=True) if edits else unit
        self._input = changed.for_clang(model)
        self._output = self._input.dump()

    def appended(self, text: str, name: str) -> _Read:
        """The unit with a text at its end that people know by this name."""
        whole = self.unit.text + b"\n" + text.encode()
        unit = replace(self.unit, text=whole, changed=True, appended=(len(self.unit.text) + 1, name))
        return _Read(unit, self.model, self.edits)

    def reader(self, linkage: Linkage, number: int) -> UnitReader:
        output, file = self._output
        way = self.way if self.edits else None
        source = Source(self.unit.text, str(self.unit.path), way, self.unit.appended)
        folders = ("/usr/include/", "/usr/local/include/", "/usr/lib/", str(folder()))
        sources = Sources(source, file, folders, self.unit.marks)
        return UnitReader(output, sources, self.model, linkage, number, self._input.printed)


def _linked(
    units: Sequence[_Read], model: DataModel, linkage: Linkage, entry: str | None, checks: frozenset[Check]
) -> CProgram:
    readers = [unit.reader(linkage, number) for number, unit in enumerate(units)]
    _choose(readers, linkage)
    for reader in readers:
        if entry is None:
            reader.read_all()
        else:
            reader.read_entry(entry)
        reader.read_constructors()
    _close(readers, linkage)
    library_text = libc.definitions(
        linkage.functions, linkage.mentioned, linkage.declared, model, [each for _, each in linkage.globals],
        checks,
    )
    if library_text is not None:
        ours = Unit(Path(libc.FILE), library_text.encode(), True)
        _Read(ours, model).reader(linkage, len(units)).read_all()
    for reader in readers:
        reader.declare_functions()
    return _program([read.unit for read in units], model, linkage, entry)


def _choose(readers: Sequence[UnitReader], linkage: Linkage) -> None:
    """Of a weak symbol's definitions one counts: the one that is not weak, else the first. Of others there is
    one, unless they are inline."""
    found = [(reader, name, weak) for reader in readers for name, weak in reader.external_definitions()]
    chosen = {name for _, name, weak in found if not weak}
    first: dict[str, UnitReader] = {}
    for reader, name, weak in found:
        if weak and name in chosen:
            reader.yield_to(name)
        else:
            chosen.add(name)
            linkage.definitions[name] += 1
            first.setdefault(name, reader).require_one(name, reader)


def _close(readers: Sequence[UnitReader], linkage: Linkage) -> None:
    """Read what one file mentions and another defines, until nothing is new."""
    new = True
    while new:
        found = [reader.define(list(linkage.wanted)) for reader in readers]
        new = any(found)


def _constructed(
    start: ast.FunctionDef, constructors: Sequence[str], linkage: Linkage
) -> ast.FunctionDef:
    """The entry with calls of the functions that run before it (``__attribute__((constructor))``)."""
    if start.name in linkage.mentioned:
        raise Unsupported("constructors of a program that calls its own entry", start.position)
    calls = []
    at = start.body.span.start
    place = ast.Span(at, at, "")
    for name in constructors:
        type = linkage.declared[name]
        if type.parameters:
            raise Unsupported(f"the constructor {name} has parameters", linkage.functions[name].position)
        call = ast.Call(ast.FunctionRef(name, type, at), (), type.result, at)
        calls.append(ast.Evaluate(call, place))
    body = ast.Block((*calls, *start.body.body), start.body.span)
    return replace(start, body=body)


def _open_streams(globals: Sequence[ast.Variable], model: DataModel) -> None:
    """``stdin`` and its kin point somewhere, each to a place of its own where no object is."""
    for number, name in enumerate(STREAMS, 1):
        for variable in globals:
            if variable.name == name and variable.external and isinstance(variable.type, Pointer):
                at = variable.position
                address = ast.IntConst(number * _STREAM_STEP, model.size_type, at)
                entry = ast.InitEntry((), ast.Cast(address, variable.type, at))
                variable.initialiser = ast.Initialiser((entry,), True, at)
                variable.external = False


def _program(
    units: Sequence[Unit], model: DataModel, linkage: Linkage, entry: str | None
) -> CProgram:
    constructors = tuple(name for _, name in sorted(linkage.constructors, key=lambda found: found[0]))
    found = [variable for _, variable in sorted(linkage.globals, key=lambda one: (one[0], one[1].number))]
    _open_streams(found, model)
    names = sorted(linkage.functions, key=linkage.order.__getitem__)
    functions = {name: linkage.functions[name] for name in names}
    if linkage.ends:
        destructors = [name for _, name in sorted(linkage.destructors, key=lambda found: found[0])]
        functions[AT_EXIT] = at_exit(linkage, destructors[::-1], model.pointer_size)
        linkage.declared[AT_EXIT] = functions[AT_EXIT].type
    start = functions.get(entry or "main")
    if start is not None and constructors:
        functions[start.name] = _constructed(start, constructors, linkage)
    return CProgram(
        tuple(unit.path for unit in units), model, tuple(found), functions, linkage.declared, (),
        frozenset(linkage.system), frozenset(linkage.noreturn), constructors, tuple(linkage.volatile_reads),
        tuple(unit.arguments for unit in units),
        notes=tuple((text, tuple(places)) for text, places in linkage.notes.items()),
        aligned_types=tuple(linkage.aligned_types),
    )
