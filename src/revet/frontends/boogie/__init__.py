"""Boogie, the intermediate verification language, as ULTIMATE reads it: ``.bpl``.

::

    var g: int;

    procedure main(n: int)
      requires n >= 0;
      modifies g;
    {
      g := 0;
      while (g < n) invariant g <= n; { call step(); }
      assert g == n;
    }

    procedure step();
      modifies g;
      ensures g == old(g) + 1;

**Runs.** If ``ULTIMATE.start`` has an implementation, runs start there. Otherwise the program is a library:
a run may start in every procedure that has one, with any globals and arguments. Constants have any values
that satisfy axioms and ``unique``; globals start with any that satisfy their ``where``; parameters, results
and locals likewise; the ``requires`` of the entry is assumed.

**Calls.** ``requires`` is asserted. A procedure with an implementation then runs its body, and its
``ensures`` is asserted when it ends, also at the end of an entry. A procedure without one changes what
it ``modifies`` and its results to anything that satisfies ``ensures`` and the ``where`` clauses. ``free``
clauses are assumed: ``requires`` at the call, ``ensures`` at the end. ``old(e)`` has the globals as they
were when the procedure at hand was entered.

**Statements.** Each ``assert`` is a property of its own (``assert@7``), and so is each ``invariant`` of a
loop, asserted before every test of the condition, each ``ensures``, and each ``requires`` at each call
(``requires@12``: the call is in line 12). A run ends at the first that fails. ``goto`` takes any of its
labels; ``havoc`` assumes the ``where`` of what it changes.

**Values.** Integers and reals are mathematical. ``div`` and ``mod`` are SMT-LIB's: the remainder is never
negative. Division by zero is left open as in SMT-LIB: an unknown function of the dividend, the same one
throughout a run, part of every counterexample. Functions without a body are unknown functions, too
(:mod:`lower_expressions`). Types of the user's own have only equality (:mod:`lower_types`).
Quantifiers are used where one value decides them (:mod:`lower_formulas`).

The parser is :mod:`parser`, the checker :mod:`types`; :mod:`lower` makes the automaton, :mod:`procedures`
a model of recursive procedures; :mod:`interpret` executes the tree to confirm counterexamples
(:mod:`replay`).

Refused with the place: concurrency, polymorphic maps and maps indexed by maps, ``**``, ``lambda``, ``call
forall``, recursive functions, several implementations of one procedure, quantifiers inside terms.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from revet.errors import InputError
from revet.frontends.boogie.lower import lower
from revet.frontends.boogie.parser import parse
from revet.frontends.boogie.replay import BoogieProgram
from revet.frontends.boogie.types import check

if TYPE_CHECKING:
    from revet.frontends.boogie.replay import BoogieProgram


def load(paths: Sequence[Path], options: Mapping[str, Any]) -> BoogieProgram:
    """Read one program; there are no options."""
    if len(paths) != 1:
        raise InputError(f"{paths[1]}: a program is one file")
    checked = check(parse(paths[0]))
    return BoogieProgram(checked, lower(checked), paths[0])
