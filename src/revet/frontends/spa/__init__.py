"""The small C-like language of Penelle, *Software Verification, Part 1* (lecture notes, Bordeaux 2024),
chapter 3: ``.spa``.

::

    // comments as in C; declarations are optional
    int x, n = nondet();
    assume(n > 0);
    x = 0;
    while (x < n) { x = x + 1; }
    if (x % 2 == 0) skip; else x = x - 1;
    assert(x <= n);

**Values** are mathematical integers; a variable starts with any value (section 3.2.2: "we do
not suppose that there are any restriction in the valuation in the initial configuration"). A
program without declarations may use any name; with at least one, a name that is not declared is
an error, so that a misspelt variable is found.

**Conditions** are comparisons joined with ``&& || !``, read from left to right as in C. ``*``
and ``nondet()`` as a whole condition (or operand of ``&& || !``) choose freely; elsewhere
``nondet()`` is any integer.

**Division.** ``/`` and ``%`` are undefined for a divisor of 0 (3.1), and a statement whose
expression is undefined *cannot be executed* (3.2.2: the assignment relates only valuations for
which the expression is defined; 3.3: the side conditions stand beside the guard and beside its
negation alike). So a run that divides by zero stops there without error: ``assert(1 / x == 1)``
is not violated by ``x = 0``. Otherwise ``%`` is the mathematical mod, and ``/`` fits it: the
remainder is never negative, as in SMT-LIB (``-7 / 2`` is -4); the option ``division="c"`` takes
C's instead, which rounds towards zero.

**Properties.** Each ``assert`` has an error location of its own, named after its line:
``assert@7`` (``assert@7:20`` where a line has several).

The parser is :mod:`~revet.frontends.spa.parser`, the way to a model
:mod:`~revet.frontends.spa.lower`, and :mod:`~revet.frontends.spa.interpret` executes the syntax
tree to confirm traces.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from revet.errors import InputError, UsageError
from revet.frontends.kit.parsing import Source
from revet.frontends.kit.text import read_text
from revet.frontends.spa.interpret import SpaProgram
from revet.frontends.spa.lower import lower
from revet.frontends.spa.parser import parse

OPTIONS = ("division",)


def load(paths: Sequence[Path], options: Mapping[str, Any]) -> SpaProgram:
    """Read one program. Option: ``division`` = ``"euclidean"`` (default) or ``"c"``."""
    if len(paths) != 1:
        raise InputError(f"{paths[1]}: a program is one file")
    division = options.get("division") or "euclidean"
    if division not in ("euclidean", "c"):
        raise UsageError(f"division is euclidean or c, not {division}")
    tree = parse(Source(str(paths[0]), read_text(paths[0])), c_division=division == "c")
    return SpaProgram(tree, lower(tree, paths[0].stem), paths[0])
