"""What people type: formulas about states and places, statements, and the sorts of variables."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from revet.errors import UsageError
from revet.frontends.kit.expressions import parse_formula, parse_formulas, parse_term
from revet.logic.core import var
from revet.logic.sorts import BOOL, INT, REAL, BitVec
from revet.model.cfa import Cfa, Edge, Location
from revet.model.statements import Assign, Assume, Havoc

if TYPE_CHECKING:
    from collections.abc import Sequence

    from revet.logic.sorts import Sort
    from revet.logic.terms import Term
    from revet.model.statements import Statement

_NAME = re.compile(r"(?<![\w$#.])[A-Za-z_$][\w$]*(?!\s*\()")
_NOT_VARIABLES = frozenset({
    "and", "or", "not", "xor", "iff", "imply", "implies", "div", "mod", "rem", "if", "then", "else", "true",
    "false", "assume", "havoc", "skip",
})


class Places:
    """``at l2`` as a Boolean variable for each location of an automaton."""

    def __init__(self, cfa: Cfa, named: Sequence[Location]) -> None:
        self.variables = {location: var(f"at {location.name}", BOOL) for location in named}
        self._names = {f"at_{place.name}": at for place, at in self.variables.items()}
        self._names |= {at.name: at for at in self.variables.values()}
        self._names |= {x.name: x for x in cfa.variables}

    def formula(self, text: str, where: str) -> Term:
        """A formula over the variables and the places."""
        return parse_formula(text, self._names, where)

    def formulas(self, text: str, where: str) -> list[Term]:
        """Formulas between commas or semicolons; none for an empty text."""
        return parse_formulas(text, self._names, where) if text.strip() else []


def statement_automaton(statement: str, formula: str, declarations: str) -> Cfa:
    """One location with one loop that carries the statements; other names than declared are integers."""
    names = declared(declarations)
    for name in _NAME.findall(f"{statement} {formula}"):
        if name not in _NOT_VARIABLES:
            names.setdefault(name, var(name, INT))
    here = Location("here")
    loop = Edge(here, here, tuple(_statements(statement, names)), text=statement)
    return Cfa(tuple(names.values()), (here,), (loop,), here, name="statement")


def declared(text: str) -> dict[str, Term]:
    """``x, y: int, b: bool, r: real, v: bv8`` as variables by name."""
    found: dict[str, Term] = {}
    waiting: list[str] = []
    for part in filter(None, (piece.strip() for piece in re.split(r"[,;]", text))):
        name, colon, sort = (piece.strip() for piece in part.partition(":"))
        if not re.fullmatch(r"[A-Za-z_$][\w$]*", name):
            raise UsageError(f"--variables: {name!r} is not a name; write 'x, y: int, b: bool'")
        waiting.append(name)
        if colon:
            found |= {each: var(each, _sort(sort)) for each in waiting}
            waiting = []
    return found | {name: var(name, INT) for name in waiting}


def _sort(text: str) -> Sort:
    known = {"bool": BOOL, "int": INT, "real": REAL}.get(text)
    if known is not None:
        return known
    if (bits := re.fullmatch(r"bv(\d+)", text)) and 0 < int(bits[1]) <= 1 << 16:
        return BitVec(int(bits[1]))
    raise UsageError(f"--variables: there is no sort {text}; there are bool, int, real and bv8, bv16, …")


def _statements(text: str, names: dict[str, Term]) -> list[Statement]:
    """``assume x < 3; x := x + 1; havoc y; [x >= 0]; skip``."""
    where = "--statement"
    found: list[Statement] = []
    for part in filter(None, (piece.strip() for piece in text.split(";"))):
        target, assigns, value = part.partition(":=")
        if assigns and re.fullmatch(r"[A-Za-z_$][\w$]*", target.strip()):
            variable = names[target.strip()]
            found.append(Assign(variable, parse_term(value, names, variable.sort, where)))
        elif drawn := re.fullmatch(r"havoc\s+([A-Za-z_$][\w$]*)", part):
            found.append(Havoc(names[drawn[1]]))
        elif assumed := re.fullmatch(r"assume\b(.*)|\[(.*)\]", part, re.DOTALL):
            found.append(Assume(parse_formula(assumed[1] or assumed[2] or "", names, where)))
        elif part != "skip":
            raise UsageError(
                f"--statement: {part!r} is none of 'x := term', 'assume formula', '[formula]', 'havoc x' "
                "and 'skip'"
            )
    return found
