"""Which front end reads which file. Add a row when you add a language."""

from __future__ import annotations

import os.path
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from revet.errors import InputError, UsageError, did_you_mean, no_such_property

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path
    from typing import Any

    from revet.frontends.program import Program


@dataclass(frozen=True)
class Language:
    """``module`` has ``load(paths, options) -> Program`` and, if it takes options, their names in
    ``OPTIONS``. ``plain``: it takes the paths as texts. ``specifications`` are the properties that its
    ``property`` option knows by name (several with commas between them), and ``.prp`` files if there are
    any; other properties are those of the program.
    """

    name: str
    suffixes: tuple[str, ...]
    module: str
    summary: str
    plain: bool = False
    specifications: tuple[str, ...] = ()

    def specifies(self, property: str) -> bool:
        """Is this a property that the language itself knows, rather than one that the program names?"""
        listed = "," in property or property in self.specifications
        return bool(self.specifications) and (listed or property.endswith(".prp"))


LANGUAGES: list[Language] = [
    Language("c", (".c", ".i", ".h", ".yml"), "revet.frontends.c", "C, preprocessed or not",
             specifications=("unreach-call", "no-overflow", "valid-deref", "valid-free", "valid-memtrack",
                             "valid-memcleanup", "valid-memsafety", "assertions", "overflow", "division",
                             "shift", "conversion", "bounds", "pointers", "free", "leaks", "cleanup",
                             "arithmetic", "memory", "memory-safety", "library", "uninitialised",
                             "alignment")),
    Language("aut", (".aut",), "revet.frontends.aut", "SPA's program automata"),
    Language("theta", (".cfa",), "revet.frontends.theta", "THETA's control-flow automata"),
    Language("spa", (".spa",), "revet.frontends.spa", "the small C-like language"),
    Language("aiger", (".aag", ".aig"), "revet.frontends.aiger", "AIGER 1.9 circuits, ASCII and binary",
             plain=True),
    Language("btor2", (".btor2", ".btor"), "revet.frontends.btor2", "BTOR2, bit-vectors and arrays"),
    Language("horn", (".smt2",), "revet.frontends.horn", "constrained Horn clauses, SMT-LIB's logic HORN"),
    Language("vmt", (".vmt",), "revet.frontends.vmt", "VMT-LIB transition systems"),
    Language("moxi", (".moxi", ".json"), "revet.frontends.moxi", "MoXI, as text or JSON"),
    Language("sts", (".system", ".sts"), "revet.frontends.sts", "THETA's symbolic transition systems"),
    Language("boogie", (".bpl",), "revet.frontends.boogie", "Boogie, ULTIMATE's and Microsoft's"),
    Language("lustre", (".lus",), "revet.frontends.lustre", "Lustre, KIND 2's dialect"),
]

_CPLUSPLUS = (".cc", ".cpp", ".cxx", ".hpp", ".hh")


def language_of(path: Path | str) -> Language | None:
    suffix = os.path.splitext(path)[1].lower()
    return next((language for language in LANGUAGES if suffix in language.suffixes), None)


def load(
    paths: Sequence[Path | str], options: Mapping[str, Any] | None = None, property: str | None = None,
    others: Iterable[str] = (),
) -> Program:
    """Read a program; the first file's suffix decides the language.

    ``options`` are the language's own; one that it does not have is refused (``others`` are names that may
    have been meant). ``property`` leaves one property of several, or is a specification that the language
    knows."""
    if not paths:
        raise UsageError("no input file")
    for path in paths:
        if not os.path.exists(path):
            raise InputError(f"{path}: no such file")
        if os.path.isdir(path):
            raise InputError(f"{path}: is a directory")
        if os.path.splitext(path)[1].lower() in _CPLUSPLUS:
            raise InputError(f"{path}: this looks like C++; Revet reads C")
    language = language_of(paths[0])
    if language is None:
        known = ", ".join(suffix for language in LANGUAGES for suffix in language.suffixes)
        raise InputError(f"{paths[0]}: unknown kind of file; Revet reads {known}")
    for path in paths[1:]:
        other = language_of(path)
        if other is not None and other is not language:
            both = f"{paths[0]} is {language.name}, {path} is {other.name}"
            raise UsageError(f"{both}: the files of one question are of one language")
    module = import_module(language.module)
    chosen = dict(options or {})
    names = getattr(module, "OPTIONS", ())
    for name in chosen:
        if name not in names:
            hint = did_you_mean(name, (*names, *others))
            raise UsageError(f"{paths[0]}: {language.summary} has no option {name}; {hint}")
    specified = property is not None and language.specifies(property)
    if specified:
        chosen["property"] = property
    program = _read(module.load, paths, chosen, language.plain)
    if property is None or specified:
        return program
    if language.specifications and property not in program.property_names:
        names = (*language.specifications, *program.property_names)
        raise UsageError(no_such_property(property, names))
    return program.restricted_to(property)


def _read(
    load: Callable[..., Program], paths: Sequence[Path | str], options: Mapping[str, Any], plain: bool
) -> Program:
    """Circuits do not nest; everything else is read where there is room for deep nests."""
    if plain:
        return load(list(map(str, paths)), options)
    from pathlib import Path

    from revet.collector import without_collector
    from revet.frontends.kit.deep import at_any_depth

    with without_collector(freeze=True):  # trees and terms stay alive
        return at_any_depth(load)(list(map(Path, paths)), options)
