"""THETA's symbolic transition systems: ``.system`` and the lisp-like ``.sts``.

::

    specification Counter {
        system counter := {
            var x : int
            initial x = 0
            invariant x >= 0
            transition x' = (if x < 10 then x + 1 else 0)
        }
        property safe : counter models G(x <= 10)
    }

    (system (var x Int) (init (= x 0)) (trans (= (prime x) (ite (< x 10) (+ x 1) 0))) (prop (<= x 10)))

The expressions of ``.system`` are those of THETA's automata, with primed variables and with quantifiers
(``forall (i : int) : i >= 0``); those of ``.sts`` are SMT-LIB's, with ``prime`` and ``/=``. Invariants hold
in every state by definition. Several properties must be about one system. Refused with the place: properties
other than ``G(…)`` of a formula without primes, constants, functions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from revet.errors import UsageError
from revet.frontends.kit.relations import RelationProgram
from revet.frontends.kit.text import read_text
from revet.frontends.sts.lisp import read_lisp
from revet.frontends.sts.specification import read_specification


def load(paths: Sequence[Path], options: Mapping[str, Any]) -> RelationProgram:
    if len(paths) > 1:
        raise UsageError("give one transition system at a time")
    return program_of(read_text(paths[0]), paths[0])


def program_of(text: str, path: Path) -> RelationProgram:
    """The program in the text of a file called ``path``."""
    read = read_lisp if path.suffix == ".sts" else read_specification
    return RelationProgram(read(text, str(path), path.stem), path, "sts")
