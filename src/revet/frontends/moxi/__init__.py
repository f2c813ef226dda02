"""MoXI, the model exchange interlingua (Rozier, Dureja, Irfan, Johannsen, Nukala, Shankar, Tinelli, Vardi,
"MoXI: An Intermediate Language for Symbolic Model Checking", SPIN 2024), as text and as JSON.

::

    (define-system Delay :input ((i Int)) :output ((o Int)) :init (= o 0) :trans (= o' i))
    (check-system Delay :input ((in Int)) :output ((out Int))
      :assumption (small (<= 0 in 9))
      :reachable (large (> out 9))
      :query (q (small large)))

A query asks for a run: *safe* says that none of the queries has one, *unsafe* shows one. It is the run of the
language's finite-trace semantics: after the state in which the last condition of the query holds there is one
more, so that a state without a successor reaches nothing.

Refused with the place: fairness, functions with arguments, datatypes, arrays of enumerated values and
quantifiers over them, and several queries in one ``:queries`` about one value of a declared constant.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from revet.errors import UsageError
from revet.frontends.kit.text import read_text
from revet.frontends.moxi.program import MoxiProgram
from revet.frontends.moxi.reader import read_moxi


def load(paths: Sequence[Path], options: Mapping[str, Any]) -> MoxiProgram:
    if len(paths) > 1:
        raise UsageError("give one MoXI file at a time")
    return program_of(read_text(paths[0]), paths[0])


def program_of(text: str, path: Path) -> MoxiProgram:
    """The program in the text of a file called ``path``, whose suffix tells text from JSON."""
    return MoxiProgram(read_moxi(text, str(path)), path)
