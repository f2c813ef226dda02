"""VMT-LIB: transition systems as annotated SMT-LIB definitions.

::

    (declare-fun x () Int) (declare-fun x.next () Int)
    (define-fun sv () Int (! x :next x.next))
    (define-fun init () Bool (! (= x 0) :init true))
    (define-fun trans () Bool (! (= x.next (+ x 1)) :trans true))
    (define-fun good () Bool (! (>= x 0) :invar-property 0))

Declared constants without ``:next`` are inputs, new in every state. ``:predicate`` and ``:named`` change
nothing. Refused with the place: ``:live-property``, unknown annotations, assertions (but of true),
functions with arguments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from revet.errors import UsageError
from revet.frontends.kit.relations import RelationProgram
from revet.frontends.kit.text import read_text
from revet.frontends.vmt.reader import read_vmt


def load(paths: Sequence[Path], options: Mapping[str, Any]) -> RelationProgram:
    if len(paths) > 1:
        raise UsageError("give one VMT file at a time")
    return program_of(read_text(paths[0]), paths[0])


def program_of(text: str, path: Path) -> RelationProgram:
    """The program in the text of a file called ``path``."""
    return RelationProgram(read_vmt(text, str(path), path.stem), path, "vmt")
