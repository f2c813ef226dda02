"""What can go wrong in a C program, and the names of groups of it that a user asks for.

A :class:`Check` is one kind of thing that must not happen: an assertion that fails, or one kind of undefined
behaviour. Lowering makes an error location of every operation that may break a chosen check and assumes the
others (``lower/context.py``); the interpreter of C stops there (``interpret/machine.py``). Groups have names,
among them those of SV-COMP's properties.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from revet.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable


ADDRESS = "address"
"""The compiler's AddressSanitizer, which reports rather than traps."""


@dataclass(frozen=True, slots=True)
class Kind:
    """``label`` begins the names of error locations, ``undefined`` is the interpreter's word for it
    (:class:`revet.frontends.c.interpret.machine.Undefined`), ``noun`` what is counted in an answer, ``cwe``
    its number in the Common Weakness Enumeration, ``sanitizer`` the part of UBSan that traps it, or
    :data:`ADDRESS`."""

    label: str
    undefined: str
    noun: str
    title: str
    cwe: int
    sanitizer: str | None = None


class Check(Enum):
    """One kind of thing that must not happen."""

    ASSERTION = Kind("assert", "", "assertion", "an assertion fails", 617)
    OVERFLOW = Kind("overflow", "overflow", "signed operation", "signed integer overflow", 190,
                    "signed-integer-overflow")
    DIVISION = Kind("division", "division", "division", "division by zero", 369, "integer-divide-by-zero")
    SHIFT = Kind("shift", "shift", "shift", "a shift by a negative amount or by too much", 1335, "shift")
    SHIFT_VALUE = Kind("shift", "shift", "left shift", "a left shift of a negative value or beyond the type",
                       1335, "shift")
    CONVERSION = Kind("conversion", "conversion", "conversion", "a float that does not fit into an integer",
                      681, "float-cast-overflow")
    INDEX = Kind("bounds", "index", "array access", "an index outside of an array", 119, "bounds")
    PART = Kind("bounds", "subscript", "array access", "an index outside of an array in an object", 119,
                "bounds")

    POINTER = Kind("pointer", "dereference", "access through a pointer",
                   "an access outside of every living object", 119, ADDRESS)
    LIBRARY = Kind("library", "library", "call of a library function",
                   "a library function gets arguments that it does not take", 628)
    UNINITIALISED = Kind("uninitialised", "uninitialised", "read",
                         "a value that nobody has written is read", 457)
    ALIGNMENT = Kind("alignment", "alignment", "access of an aligned type",
                     "an access at an address that is not aligned for its type", 704, "alignment")
    FREE = Kind("free", "free", "call of free", "free of what is no allocated block", 763, ADDRESS)
    LEAK = Kind("leak", "leak", "end", "an allocated block that nothing leads to at the end", 401)
    CLEANUP = Kind("cleanup", "cleanup", "end", "an allocated block that is not freed at the end", 401)

    @property
    def kind(self) -> Kind:
        return self.value

    @property
    def label(self) -> str:
        return self.value.label


GROUPS: dict[str, frozenset[Check]] = {
    "assertions": frozenset({Check.ASSERTION}),
    "overflow": frozenset({Check.OVERFLOW, Check.SHIFT_VALUE}),
    "division": frozenset({Check.DIVISION}),
    "shift": frozenset({Check.SHIFT, Check.SHIFT_VALUE}),
    "conversion": frozenset({Check.CONVERSION}),
    "bounds": frozenset({Check.INDEX, Check.PART}),
    "pointers": frozenset({Check.POINTER, Check.INDEX}),
    "library": frozenset({Check.LIBRARY}),
    "uninitialised": frozenset({Check.UNINITIALISED}),
    "alignment": frozenset({Check.ALIGNMENT}),
    "free": frozenset({Check.FREE}),
    "leaks": frozenset({Check.LEAK}),
    "cleanup": frozenset({Check.CLEANUP}),
}
GROUPS["arithmetic"] = GROUPS["overflow"] | GROUPS["division"] | GROUPS["shift"] | GROUPS["conversion"]

GROUPS["memory"] = GROUPS["bounds"] | GROUPS["pointers"] | GROUPS["free"]
GROUPS["memory-safety"] = GROUPS["pointers"] | GROUPS["free"] | GROUPS["leaks"]

_SEVERAL = frozenset({"arithmetic", "memory", "memory-safety"})

SPECIFICATIONS = {
    "unreach-call": "assertions", "no-overflow": "overflow", "valid-deref": "pointers", "valid-free": "free",
    "valid-memtrack": "leaks", "valid-memcleanup": "cleanup", "valid-memsafety": "memory-safety",
}
"""SV-COMP's names of groups."""


def by_default(wraps: bool) -> list[tuple[str, ...]]:
    """What a plain file is asked about, in portions; then what is checked instead, where the program has
    something that is not modelled for all of it. ``wraps``: the user says that signed arithmetic may
    overflow."""
    arithmetic = "division,shift,conversion" if wraps else "arithmetic"
    return [
        ("assertions", arithmetic, "memory", "library"), ("assertions", arithmetic, "memory"),
        ("assertions", arithmetic, "bounds"), ("assertions",),
    ]


TRACKED = frozenset({
    Check.POINTER, Check.LIBRARY, Check.ALIGNMENT, Check.FREE, Check.LEAK, Check.CLEANUP,
})
"""Checks that need to know which objects there are: see ``lower/objects.py``."""


def named_checks(names: str) -> frozenset[Check]:
    """The checks of a list of groups with commas between them; raises :class:`UsageError`."""
    found: frozenset[Check] = frozenset()
    for name in names.split(","):
        group = GROUPS.get(SPECIFICATIONS.get(name.strip(), name.strip()))
        if group is None:
            hint = did_you_mean(name.strip(), [*SPECIFICATIONS, *GROUPS])
            raise UsageError(f"property: {name.strip()!r} is neither a .prp file nor known; {hint}")
        found |= group
    return found


def not_among(asked: Iterable[str], checked: Iterable[str]) -> tuple[str, ...]:
    """The groups that are asked about and not checked, without names for several."""
    wanted, done = named_checks(",".join(asked)), named_checks(",".join(checked))
    return tuple(
        name for name, group in GROUPS.items()
        if name not in _SEVERAL and group <= wanted and not group <= done
    )


def undefined_kinds(checks: Iterable[Check]) -> tuple[str, ...]:
    """The interpreter's words for what breaks one of these checks."""
    found = (check.kind.undefined for check in Check if check in checks)
    return tuple(dict.fromkeys(filter(None, found)))
