"""Functions, and all files of a program together."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path

from revet.errors import Position
from revet.frontends.c.ast.expressions import Variable
from revet.frontends.c.ast.node import node
from revet.frontends.c.ast.statements import Block
from revet.frontends.c.types import DataModel, Function


@node
class FunctionDef:
    """``static`` functions of different files may share a name: then ``name`` has a suffix."""

    name: str
    type: Function
    parameters: tuple[Variable, ...]
    body: Block
    position: Position

    def draw_name(self, parameter: Variable) -> str:
        """What an argument is called among the inputs of a run that starts in this function."""
        return f"{self.name}({parameter.name})"


@node
class CProgram:
    """All files of a program together.

    ``globals`` holds file-scope objects and static locals in order of declaration; ``declared``
    the type of every function that is declared, whether or not it has a body.
    """

    files: tuple[Path, ...]
    data_model: DataModel
    globals: tuple[Variable, ...]
    functions: dict[str, FunctionDef]
    declared: dict[str, Function]
    warnings: tuple[str, ...] = field(default=())
