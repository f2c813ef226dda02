"""SV-COMP property files (``.prp``): what is to be checked.

Every line that is not empty is ``CHECK( init(main()), LTL(formula) )``. The formulas that SV-COMP
uses form a short list, so they are recognised by shape and given the names that the competition
gives them; anything else is an error rather than a guess.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from revet.errors import InputError, Position, UsageError
from revet.frontends.c.checks import GROUPS, SPECIFICATIONS
from revet.frontends.kit.text import read_text

# Functions whose call is the error, whichever of them a property file names: files of different
# years use different names for the same thing.
ERROR_FUNCTIONS = ("__VERIFIER_error", "reach_error", "__assert_fail", "__assert_rtn", "__assert")

CHECKED = tuple(SPECIFICATIONS)  # the properties that Revet checks

_CHECK = re.compile(r"CHECK\s*\(\s*init\s*\(\s*(\w+)\s*\(\s*\)\s*\)\s*,\s*LTL\s*\((.*)\)\s*\)\s*$")
_GROUP = re.compile(r"CHECK\(\s*init\(\w+\(\)\),\s*LTL\(G ([\w-]+)\)\s*\)$")
_CALL = re.compile(r"G\s*!\s*call\s*\(\s*(\w+)\s*\(\s*\)\s*\)$")
_FORMULAS = {
    "G!overflow": "no-overflow",
    "Fend": "termination",
    "G!data-race": "no-data-race",
    "Gvalid-free": "valid-free",
    "Gvalid-deref": "valid-deref",
    "Gvalid-memtrack": "valid-memtrack",
    "Gvalid-memcleanup": "valid-memcleanup",
}


@dataclass(frozen=True, slots=True)
class Property:
    """``name`` as SV-COMP calls it, e.g. ``unreach-call``; ``function`` is the one not to be
    called (for ``unreach-call`` only); ``entry`` where the program starts; ``text`` the line."""

    name: str
    function: str | None = None
    entry: str = "main"
    text: str = ""

    @property
    def error_functions(self) -> tuple[str, ...]:
        """Every function whose call violates an ``unreach-call`` property."""
        if self.function is None or self.function in ERROR_FUNCTIONS:
            return ERROR_FUNCTIONS
        return (self.function, *ERROR_FUNCTIONS)


def parse_property(text: str, file: str = "<property>") -> tuple[Property, ...]:
    """The properties in the text of a ``.prp`` file."""
    found: list[Property] = []
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if stripped:
            found.append(_parse_line(stripped, Position(file, number), line))
    if not found:
        raise InputError(f"{file}: no CHECK line in this property file")
    return tuple(found)


def _parse_line(line: str, position: Position, source_line: str) -> Property:
    check = _CHECK.match(line)
    if check is None:
        raise InputError("expected CHECK( init(main()), LTL(...) )", position, source_line)
    entry, formula = check.group(1), check.group(2).strip()
    call = _CALL.match(formula)
    if call is not None:
        return Property("unreach-call", call.group(1), entry, line)
    name = _FORMULAS.get(re.sub(r"\s+", "", formula))
    if name is None:
        raise InputError(f"unknown property formula LTL({formula})", position, source_line)
    return Property(name, None, entry, line)


def read_property(path: Path) -> tuple[Property, ...]:
    """The properties of a ``.prp`` file."""
    return parse_property(read_text(path), str(path))


def specification_text(names: str, entry: str, errors: Sequence[str]) -> str:
    """The ``CHECK`` lines of what was checked, for witnesses; where SV-COMP has no formula, with a name."""
    known = {group: name for name, group in SPECIFICATIONS.items()}
    lines = [
        named_property(known.get(name, name))[0].text if known.get(name, name) in SPECIFICATIONS
        else f"CHECK( init(main()), LTL(G {name}) )"
        for name in names.split(",")
    ]
    text = "\n".join(lines).replace("init(main())", f"init({entry}())")
    named = next((error for error in errors if error not in ERROR_FUNCTIONS), "reach_error")
    return text.replace("reach_error", named)


def groups_of(specification: str) -> str | None:
    """What :func:`specification_text` wrote, as ``--property`` takes it; None for what is not checked."""
    found = []
    for line in filter(None, map(str.strip, specification.splitlines())):
        group = _GROUP.match(line)
        if group is not None and group.group(1) in GROUPS:
            found.append(group.group(1))
            continue
        try:
            found.append(_parse_line(line, Position("<specification>", 1), line).name)
        except InputError:
            return None
    if not found or not all(name in SPECIFICATIONS or name in GROUPS for name in found):
        return None
    if any(name in GROUPS for name in found):  # not a property of SV-COMP, whose rules would hold
        found = [SPECIFICATIONS.get(name, name) for name in found]
    return ",".join(dict.fromkeys(found))


def named_property(name: str) -> tuple[Property, ...]:
    """What ``--property`` accepts: a ``.prp`` file, or a name such as ``no-overflow``."""
    if name.endswith(".prp"):
        path = Path(name)
        if not path.exists():
            raise InputError(f"{name}: no such property file")
        return read_property(path)
    if name == "unreach-call":
        return (Property(name, text="CHECK( init(main()), LTL(G ! call(reach_error())) )"),)
    for formula, known in _FORMULAS.items():
        if known == name:
            spaced = formula.replace("G", "G ", 1).replace("!", "! ").replace("Fend", "F end")
            return (Property(name, text=f"CHECK( init(main()), LTL({spaced}) )"),)
    known_names: Sequence[str] = ("unreach-call", *_FORMULAS.values())
    raise UsageError(f"unknown property {name!r}; known are {', '.join(known_names)} and .prp files")
