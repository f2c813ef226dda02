"""Parsing C with libclang: from texts to a :class:`revet.frontends.c.ast.CProgram`."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from ctypes import byref, c_char_p, c_void_p
from pathlib import Path

from revet.errors import InputError
from revet.frontends.c import libc
from revet.frontends.c.ast import CProgram
from revet.frontends.c.clang import Library, UnsavedFile, library
from revet.frontends.c.deep import with_deep_stack
from revet.frontends.c.preprocess import Preprocessed, preprocess
from revet.frontends.c.reader.source import Source
from revet.frontends.c.reader.unit import Linkage, UnitReader
from revet.frontends.c.types import ILP32, DataModel

# gnu89 accepts what the old benchmark sets write (implicit int and declarations, K&R); the
# warnings that newer clangs turned into errors stay warnings.
_STANDARDS = ("-std=gnu89", "-std=gnu11")  # the second where the first finds an error
_ARGUMENTS = (
    "-fbracket-depth=1000000", "-fsyntax-only", "-w", "-ferror-limit=1",
    "-Wno-implicit-function-declaration", "-Wno-int-conversion", "-Wno-return-type",
    "-Wno-incompatible-function-pointer-types", "-Wno-implicit-int", "-fno-spell-checking",
    "-Wno-error", "-fgnu89-inline", "-nostdinc",
)
_ERROR = 3
_NAME = b"revet-input.c"  # what clang sees; positions come from our own table


def parse_files(paths: Sequence[Path], model: DataModel = ILP32) -> CProgram:
    """Preprocess where needed, parse, and link the files of a program."""
    return with_deep_stack(lambda: parse_texts([preprocess(path, model) for path in paths], model))


def parse_text(text: str, name: str = "input.c", model: DataModel = ILP32) -> CProgram:
    """One text without preprocessor directives (for tests and for checking witnesses)."""
    unit = Preprocessed(Path(name), text.encode(), False)
    return with_deep_stack(lambda: parse_texts([unit], model))


def parse_texts(
    units: Sequence[Preprocessed], model: DataModel, approximate: bool = False
) -> CProgram:
    """``approximate``: expressions that cannot be read are in the tree as :class:`ast.Unmodelled`."""
    lib = library()
    linkage = Linkage(approximate=approximate)
    for number, unit in enumerate(units):
        _read_unit(lib, unit, model, linkage, number)
    library_text = libc.definitions(linkage.functions.values(), linkage.declared, model)
    if library_text is not None:
        ours = Preprocessed(Path(libc.FILE), library_text.encode(), False)
        _read_unit(lib, ours, model, linkage, len(units))
    return CProgram(
        tuple(unit.path for unit in units), model, tuple(linkage.globals), linkage.functions,
        linkage.declared,
    )


def _read_unit(lib: Library, unit: Preprocessed, model: DataModel, linkage: Linkage, number: int) -> None:
    source = Source(unit.text, str(unit.path), unit.markers)
    index = lib.createIndex(0, 0)
    handle = None
    try:
        handle = _parsed(lib, index, unit, model, source)
        base = lib.getLocationForOffset(handle, lib.getFile(handle, _NAME), 0).raw
        UnitReader(lib, source, base, model, linkage, number).read(lib.getTranslationUnitCursor(handle))
    finally:
        if handle is not None:
            lib.disposeTranslationUnit(handle)
        lib.disposeIndex(index)


def _parsed(
    lib: Library, index: c_void_p, unit: Preprocessed, model: DataModel, source: Source
) -> c_void_p:
    """A translation unit without errors; the first standard's error if none accepts the text."""
    problem: InputError | None = None
    for standard in _STANDARDS:
        language = "cpp-output" if unit.markers else "c"
        arguments = [standard, *_ARGUMENTS, "-target", model.target, "-x", language]
        argv = (c_char_p * len(arguments))(*(argument.encode() for argument in arguments))
        unsaved = UnsavedFile(_NAME, unit.text, len(unit.text))
        handle = c_void_p()
        code = lib.parseTranslationUnit2(
            index, _NAME, argv, len(arguments), byref(unsaved), 1, 0, byref(handle)
        )
        if code != 0 or not handle:
            raise InputError(f"{unit.path}: libclang could not parse this file (code {code})")
        found = _first_error(lib, handle, source)
        if found is None:
            return handle
        problem = problem or found
        lib.disposeTranslationUnit(handle)
    assert problem is not None
    raise problem


def _first_error(lib: Library, handle: ctypes.c_void_p, source: Source) -> InputError | None:
    """The first error clang reports, in the user's coordinates."""
    for number in range(lib.getNumDiagnostics(handle)):
        diagnostic = lib.getDiagnostic(handle, number)
        try:
            if lib.getDiagnosticSeverity(diagnostic) < _ERROR:
                continue
            message = lib.text(lib.getDiagnosticSpelling(diagnostic))
            file, offset = lib.offset(lib.getDiagnosticLocation(diagnostic))
            if not file:
                return InputError(f"{source.name}: {message}")
            return InputError(message, source.position(offset), source.line_text(offset))
        finally:
            lib.disposeDiagnostic(diagnostic)
    return None
