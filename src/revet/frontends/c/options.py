"""Options of the C front end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from revet.errors import UsageError, no_such_property
from revet.frontends.c.arguments import data_model_of, database_of, from_commands, from_options
from revet.frontends.c.checks import SPECIFICATIONS, Check, named_checks
from revet.frontends.c.entry.driver import Wanted
from revet.frontends.c.property import CHECKED, ERROR_FUNCTIONS, named_property
from revet.frontends.c.types import DATA_MODELS, NATIVE, DataModel

_CHOICES = {
    "data_model": tuple(DATA_MODELS),
    "arithmetic": ("auto", "int", "bv"),
    "overflow": ("assume", "wrap"),
    "evaluation_order": ("any", "left", "right"),
    "callbacks": ("any", "none"),
    "malloc": ("may-fail", "if-too-large", "never-fails"),
    "volatile": ("any", "plain"),
    "validate_translation": ("brief", "full", "off"),
    "entry_pointers": ("valid", "may-be-null", "may-alias"),
    "entry_globals": ("initialised", "any"),
}


_LISTS = ("entry_assume", "include_paths", "system_paths", "defines", "undefines", "includes")


@dataclass(frozen=True)
class Options:
    data_model: str = NATIVE.name
    """sizes of int, long and pointers: ilp32 or lp64; by default those of this machine"""
    arithmetic: str = "auto"
    """integers as mathematical integers (int), bit-vectors (bv), or whichever fits (auto)"""
    property: str = "unreach-call"
    """what is checked: groups of checks with commas between them (assertions, overflow, division, shift,
    conversion, bounds, pointers, free, library, leaks, arithmetic, memory), or names of SV-COMP's; files
    of which nobody says are asked about assertions, arithmetic, memory and library"""
    overflow: str = "assume"
    """with mathematical integers: assume that signed operations do not overflow, or wrap"""
    strict: bool = False
    """treat every assumption about missing function bodies and variables as an error"""
    approximate: bool = False
    """expressions that are not modelled have any value, where that is sound; else they are errors"""
    recursion: int = 0
    """how many activations of a recursive function are inlined (deeper calls make it unknown);
    0: many for functions that call themselves once, few for those that branch"""
    entry: str = "main"
    """the function where execution starts, with any arguments: its name, or file.c:name"""
    entry_pointers: str = "valid"
    """where pointers lead that the entry is given: not null and to objects of their own (valid), perhaps null
    (may-be-null), or also to each other's objects (may-alias)"""
    entry_globals: str = "initialised"
    """globals at the start of an entry other than main: as they are initialised, or any value"""
    entry_depth: int = 2
    """so many pointers one after the other lead to objects; those behind are null"""
    entry_length: int = 1 << 20
    """the most elements of arrays that pointers lead to; the most arguments of main, and bytes of each"""
    entry_assume: tuple[str, ...] = ()
    """conditions on the entry's parameters, in C; revet_length(p) is the number of elements behind p"""
    evaluation_order: str = "any"
    """operands and arguments that interfere: every order that C allows, or from the left or the right"""
    callbacks: str = "any"
    """functions without a body may call the functions that they are given (any), or do not (none, which is
    SV-COMP's rule and the default where one of its properties is named)"""
    malloc: str = "may-fail"
    """malloc and its kin fail whenever they like (may-fail), for more than half of the address space
    (if-too-large), or not at all (never-fails, which is SV-COMP's rule and the default where one of its
    properties is named)"""
    volatile: str = "any"
    """what a read of a volatile object gives that is no local variable: any value, or what was written
    (plain, which is the default where one of SV-COMP's properties is named)"""
    validate_translation: str = "brief"
    """after *safe*, run the model and the compiled program with the same inputs: for as long as that does not
    matter (brief), with more and longer runs (full), or not at all (off)"""
    errors: tuple[str, ...] = ERROR_FUNCTIONS
    """functions whose call is the error (a property file may name another one)"""

    include_paths: tuple[str, ...] = ()
    """-I: folders with headers"""
    system_paths: tuple[str, ...] = ()
    """-isystem: folders with headers of the system"""
    defines: tuple[str, ...] = ()
    """-D: macros, as NAME or NAME=VALUE"""
    undefines: tuple[str, ...] = ()
    """-U: names of macros that are not defined"""
    includes: tuple[str, ...] = ()
    """-include: headers that are read first"""
    standard: str | None = None
    """-std: the dialect, instead of gnu17"""
    target: str | None = None
    """the compiler's target, instead of a data model: x86_64-linux-gnu, i386-linux-gnu"""
    compile_commands: str | None = None
    """a compile_commands.json: the arguments of each file as the project builds it; by default one above the
    file or in build/ there that names the file"""

    @cached_property
    def checks(self) -> frozenset[Check]:
        """What is checked; raises :class:`UsageError` for names that do not exist."""
        return named_checks(self.property)

    def model(self) -> DataModel:
        return DATA_MODELS[self.data_model]

    def wanted(self) -> Wanted:
        """The entry, and how it is called."""
        return Wanted(
            self.entry, self.entry_pointers, self.entry_globals, self.entry_depth, self.entry_length,
            self.entry_assume,
        )

    def arguments(self, path: Path) -> tuple[str, ...]:
        """What clang is told about a file."""
        given = from_options({name: getattr(self, name) for name in self.__match_args__})
        database = self.database(path)
        return given if database is None else (*from_commands(database, path), *given)

    def database(self, path: Path) -> Path | None:
        """The compilation database for a file: the one that was named, or the project's own."""
        return database_of(path) if self.compile_commands is None else Path(self.compile_commands)

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> Options:
        """Pick the known options; reject values that do not exist. Others are not ours."""
        known = set(cls.__match_args__)
        chosen = {name: value for name, value in values.items() if name in known and value is not None}
        if "property" in chosen:
            if _is_specification(str(chosen["property"])):
                chosen.setdefault("callbacks", "none")
                chosen.setdefault("malloc", "never-fails")
                chosen.setdefault("volatile", "plain")
            specified = _specified(str(chosen["property"]))
            chosen = {**specified, **chosen, "property": specified["property"]}
        if chosen.get("target") is not None:
            model = data_model_of(str(chosen["target"]))
            if chosen.setdefault("data_model", model) != model:
                raise UsageError(f"the target {chosen['target']} has the data model {model}")
        for name in _LISTS:
            value = chosen.get(name, ())
            chosen[name] = (value,) if isinstance(value, str) else tuple(map(str, value))
        for name, allowed in _CHOICES.items():
            value = chosen.get(name, allowed[0])
            if value not in allowed:
                raise UsageError(f"{name}: {value!r} is not one of {', '.join(allowed)}")
        if chosen.get("strict") and chosen.get("approximate"):
            raise UsageError("strict and approximate exclude each other")
        return cls(**chosen)


def _is_specification(value: str) -> bool:
    """Is this a property of SV-COMP, so that its rules hold?"""
    return value.endswith(".prp") or any(name.strip() in SPECIFICATIONS for name in value.split(","))


def _specified(value: str) -> dict[str, Any]:
    """What a property's name or a ``.prp`` file fixes."""
    if not value.endswith(".prp"):
        named_checks(value)
        return {"property": value}
    found = named_property(value)
    names = [one.name for one in found]
    unknown = ", ".join(name for name in names if name not in CHECKED)
    if unknown:
        raise UsageError(f"{value}: {no_such_property(unknown, CHECKED)}")
    if len({one.entry for one in found}) > 1:
        raise UsageError(f"{value}: runs that start in different functions")
    functions = [one.error_functions for one in found if one.name == "unreach-call"]
    errors = tuple(dict.fromkeys(name for group in functions for name in group)) or ERROR_FUNCTIONS
    return {"property": ",".join(dict.fromkeys(names)), "entry": found[0].entry, "errors": errors}
