"""How a function without a body is treated: the one place that decides.

A known function (a row of the table) is treated as its row says, if it is declared as its header
declares it. A function that a system header declares, a compiler's builtin, and a known name with
another prototype are refused. All others are the user's own: any value, no other effect, and the answer
lists the assumption (SV-COMP's rule).
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from revet.frontends.c.library.prototypes import fits
from revet.frontends.c.library.table import Row, Treatment, rows
from revet.frontends.c.types import DataModel, Function

_VERIFIERS = re.compile(r"__(?:VERIFIER|ESBMC|CPROVER)_|klee_")
_NONDET = re.compile(
    r"(?:__VERIFIER_nondet_|__CPROVER_nondet_|nondet_)\w+$|nondet$|revet_any_(?!object$)\w+$"
)
_BUILTIN = re.compile(r"__builtin_(?:___?)?|__sync_|__atomic_|__c11_atomic_|__scoped_atomic_")
_CHECKED = re.compile(r"__(?:builtin___)?(\w+)_chk$")


@dataclass(frozen=True, slots=True)
class Standing:
    """What is to be done with a function without a body. ``row`` is None for the user's own, for
    values from a verifier's ``nondet`` functions, and for what no table knows; ``reason`` says why a
    refused one is refused."""

    treatment: Treatment
    row: Row | None = None
    own: bool = False
    reason: str = ""

    @property
    def refused(self) -> bool:
        return self.treatment is Treatment.REFUSED


_OWN = Standing(Treatment.INPUT, own=True)
_DRAWN = Standing(Treatment.INPUT)


def library_name(name: str) -> str:
    """``__builtin_strlen`` is ``strlen``."""
    return name.removeprefix("__builtin_") if name.startswith("__builtin_") else name


def classify(
    name: str, declared: Function | None, model: DataModel, in_system_header: Collection[str] = ()
) -> Standing:
    """How a function without a body is treated.

    ``declared`` is its type (None: not declared), ``in_system_header`` the names that a system header
    declares, as far as that is known.
    """
    if _NONDET.match(name):
        return _DRAWN
    row = rows().get(name) or rows().get(library_name(name))
    if row is not None:
        return _known(row, declared, model)
    if _BUILTIN.match(name):
        return Standing(Treatment.REFUSED, reason="a builtin of the compiler that is not modelled")
    checked = _CHECKED.match(name)
    if checked is not None and checked[1] in rows():
        return Standing(Treatment.REFUSED, rows()[checked[1]], reason="a checked function")
    if _VERIFIERS.match(name):
        return Standing(Treatment.REFUSED, reason="a convention of another verifier that is not modelled")
    if name in in_system_header:
        return Standing(Treatment.REFUSED, reason="a function of a system header that is not modelled")
    return _OWN


def _known(row: Row, declared: Function | None, model: DataModel) -> Standing:
    if row.treatment is Treatment.REFUSED:
        return Standing(Treatment.REFUSED, row, reason=row.note or row.header)
    if not fits(row.prototype, declared, model):
        return Standing(Treatment.REFUSED, row, reason=f"declared unlike in {row.header}: {row.prototype}")
    return Standing(row.treatment, row)
