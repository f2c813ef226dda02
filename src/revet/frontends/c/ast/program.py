"""Functions, and all files of a program together."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from revet.errors import Position
from revet.frontends.c.ast.expressions import Variable
from revet.frontends.c.ast.node import node
from revet.frontends.c.ast.statements import Block
from revet.frontends.c.types import DataModel, Function

if TYPE_CHECKING:
    from revet.frontends.c.entry.driver import Driver


@node
class FunctionDef:
    """``static`` functions of different files may share a name: then ``name`` has a suffix. ``spelled``: the
    types of the parameters, as C text that is valid at the end of the file."""

    name: str
    type: Function
    parameters: tuple[Variable, ...]
    body: Block
    position: Position
    spelled: tuple[str, ...] = field(default=())


def spoken(name: str) -> str:
    """What the source calls a function of this name: without the suffix of static ones."""
    return name.partition("#")[0]


@node
class CProgram:
    """All files of a program together.

    ``globals`` holds file-scope objects and static locals in order of declaration; ``declared``
    the type of every function that is mentioned or that the files themselves declare, whether or not
    it has a body. ``system``: the functions that a header of the system declares and the compiler's
    own; ``noreturn``: those declared not to return; ``constructors``: those that run before
    ``main``, in this order; ``volatile_reads``: where a volatile object is read;
    ``notes``: what reading the program assumed, each with its places;
    ``arguments``: what the compiler is told about each file (``-I``, ``-D``, …); ``driver``: what was written
    to call a function other than ``main`` (entry/); ``aligned_types``: where a typedef's name gets an
    alignment other than its type's.
    """

    files: tuple[Path, ...]
    data_model: DataModel
    globals: tuple[Variable, ...]
    functions: dict[str, FunctionDef]
    declared: dict[str, Function]
    warnings: tuple[str, ...] = field(default=())
    system: frozenset[str] = field(default=frozenset())
    noreturn: frozenset[str] = field(default=frozenset())
    constructors: tuple[str, ...] = field(default=())
    volatile_reads: tuple[Position, ...] = field(default=())
    arguments: tuple[tuple[str, ...], ...] = field(default=())
    driver: Driver | None = field(default=None)
    notes: tuple[tuple[str, tuple[Position, ...]], ...] = field(default=())
    aligned_types: tuple[Position, ...] = field(default=())

    @property
    def start(self) -> str:
        """The function where a run starts."""
        return self.driver.function if self.driver is not None else "main"

    def is_system(self, name: str) -> bool:
        """Is this a function that a header of the system declares, or one of the compiler's own?"""
        return name in self.system
