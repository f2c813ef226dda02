"""Candidates about watched array cells: if the place lies in a range, then its contents are so.

A parameter ``k`` is compared with places by the edges (``k = i``, ``k = 4*i + base``: the cell is
written or read there). Ranges reach from one *landmark* to another; landmarks are those places, also
one further, and what they are when the variable in them has the value it is compared with or starts
with (``0``, ``n``). What may hold of a cell's contents: comparisons with each other, with variables and
with constants, what is stored there (``a[i] := 2*i`` suggests ``a[k] = 2*k``), and what the error's
guard denies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, product

from revet.engines.houdini.candidates import Candidates, both_ways, is_range
from revet.logic.arith import add, le, lt, mul
from revet.logic.core import and_, const, eq, implies
from revet.logic.linear import linear_form, normalize_literal
from revet.logic.sorts import INT
from revet.logic.terms import FALSE, TRUE, Op, Term
from revet.logic.walk import atoms, free_vars, substitute, subterms
from revet.model.names import is_content
from revet.model.relation import Relation

_CLAIMS = 50


def about_cells(found: Candidates) -> list[Term]:
    """Implications from ranges of a parameter to claims about contents; [] without parameters."""
    parameters = [x for x in _plain(found.parameters) if x.sort is INT]
    if not parameters:
        return []
    claims = _claims(found)[:_CLAIMS]
    candidates: dict[Term, None] = dict.fromkeys(claims)
    for parameter in parameters:
        for range_ in _ranges(found, parameter):
            candidates.update(dict.fromkeys(implies(range_, claim) for claim in claims))
    return [c for c in candidates if c not in (TRUE, FALSE)]


def _plain(variables: list[Term]) -> list[Term]:
    """Without contents: those of an array that is only read never change, either."""
    return [x for x in variables if not is_content(x)]


def _ranges(found: Candidates, k: Term) -> list[Term]:
    """From where a loop starts up to where it is or ends; from where it is (or just after) to the end."""
    ranges: dict[Term, None] = {}
    for cell, places in _places(found, k).items():
        further = [add(place, const(1, INT)) for place in places]
        starts, ends = _marks(found, places, _starts), _marks(found, places, _ends)
        pairs = [*product(starts, places), *product(starts, ends), *product([*places, *further], ends)]
        ranges.update({and_(le(low, cell), lt(cell, high)): None for low, high in pairs if low is not high})
        ranges.update({side: None for place in places for side in (lt(cell, place), le(place, cell))})
    return [r for r in ranges if r not in (TRUE, FALSE)]


def _places(found: Candidates, parameter: Term) -> dict[Term, list[Term]]:
    """What the parameter, or a multiple of it, is compared with in terms of the state."""
    places: dict[Term, dict[Term, None]] = {}
    for step in found.steps.values():
        for node in subterms(step.guard, *step.updates.values()):
            if node.op == Op.EQ and node.args[0].sort is INT and parameter in free_vars(node):
                place = _solved(node, parameter)
                cell, place = (parameter, place) if place is not None else _sides(node, parameter)
                if free_vars(place) <= found.variables - {parameter}:
                    places.setdefault(cell, {})[place] = None
    return {cell: list(compared) for cell, compared in places.items()}


def _sides(equation: Term, parameter: Term) -> tuple[Term, Term]:
    """``4*k + 1 = i``: the side with the parameter first."""
    left, right = equation.args
    return (left, right) if parameter in free_vars(left) else (right, left)


def _solved(equation: Term, variable: Term) -> Term | None:
    """The value of the variable according to a linear equation, if it is a multiple of nothing."""
    left, c = linear_form(equation.args[0])
    right, d = linear_form(equation.args[1])
    sum_ = {x: left.get(x, 0) - right.get(x, 0) for x in {**left, **right}}
    factor = sum_.pop(variable, 0)
    if factor not in (1, -1):
        return None
    parts = [mul(const(-int(f * factor), INT), x) for x, f in sum_.items() if f]
    return add(*parts, const(int((d - c) * factor), INT))


def _marks(
    found: Candidates, places: list[Term], values: Callable[[Candidates, Term], Iterator[Term]]
) -> list[Term]:
    """The places for certain values of the variables in them."""
    marks: dict[Term, None] = {}
    for place in places:
        for variable in sorted(free_vars(place), key=lambda x: x.id):
            for value in values(found, variable):
                marks[substitute(place, {variable: value})] = None
    return list(marks)


def _starts(found: Candidates, variable: Term) -> Iterator[Term]:
    """What a variable is set to: constants and other variables."""
    for step in found.steps.values():
        value = step.updates.get(variable)
        if value is not None and value.op in (Op.CONST, Op.VAR) and free_vars(value) <= found.variables:
            yield value


def _ends(found: Candidates, variable: Term) -> Iterator[Term]:
    """What a variable is compared with."""
    for step in found.steps.values():
        for atom in atoms(step.guard):
            if atom.op in (Op.LE, Op.LT) and variable in atom.args and not is_range(atom):
                other = atom.args[1] if atom.args[0] is variable else atom.args[0]
                if free_vars(other) <= found.variables - {variable}:
                    yield other


def _claims(found: Candidates) -> list[Term]:
    contents = [x for x in found.cfa.variables if is_content(x)]
    claims: dict[Term, None] = {}
    for claim in [*_denied(found), *_stored(found)]:
        claims.update(dict.fromkeys(both_ways(claim)))
    others = _plain([*found.numbers, *found.parameters])
    pairs = [*combinations(contents, 2), *product(contents, others)]
    for x, y in pairs:
        if x.sort is y.sort and x.sort is INT:
            claims.update(dict.fromkeys([le(x, y), le(y, x)]))
    for x in contents:
        if x.sort is INT:
            for c in found.constants:
                claims.update(dict.fromkeys([le(x, const(c, INT)), le(const(c, INT), x)]))
    known = found.variables
    tidy = dict.fromkeys(normalize_literal(c) for c in claims if free_vars(c) <= known)
    return [c for c in tidy if c not in (TRUE, FALSE) and set(contents) & free_vars(c)]


def _denied(found: Candidates) -> Iterator[Term]:
    """Atoms of error guards, at the place of the cell."""
    for edge, step in found.steps.items():
        if edge.target in found.cfa.errors:
            place = _known_places(found, step.guard)
            for read in _reads(found, step):
                for atom in atoms(step.guard):
                    if not is_range(atom):
                        yield substitute(atom, {**place, **read})


def _stored(found: Candidates) -> Iterator[Term]:
    """``content = value`` for what an edge stores, with the written place's variable solved for."""
    for step in found.steps.values():
        for x, value in step.updates.items():
            for node in subterms(value):
                if node.op == Op.ITE and node.args[0].op == Op.EQ and node.sort is x.sort:
                    place = _known_places(found, node.args[0])
                    if place:
                        for read in _reads(found, step):
                            yield eq(x, substitute(node.args[1], {**place, **read}))


def _reads(found: Candidates, step: Relation) -> Iterator[dict[Term, Term]]:
    """What an edge reads from the arrays, as the contents of the watched cells: ``content = read`` is
    said where the place is the cell's. One choice for each cell that is watched in the same array."""
    contents: dict[Term, list[Term]] = {}
    for node in subterms(step.guard):
        if node.op == Op.EQ:
            for content, read in (node.args, node.args[::-1]):
                if content.op == read.op == Op.VAR and is_content(content) and read not in found.variables:
                    contents.setdefault(read, []).append(content)
    for choice in range(max(map(len, contents.values()), default=1)):
        yield {read: watched[min(choice, len(watched) - 1)] for read, watched in contents.items()}


def _known_places(found: Candidates, guard: Term) -> dict[Term, Term]:
    """From ``k = i + 1``: i is k - 1."""
    places: dict[Term, Term] = {}
    parameters = frozenset(_plain(found.parameters))
    for node in subterms(guard):
        if node.op == Op.EQ and node.args[0].sort is INT and parameters & free_vars(node):
            for variable in sorted(free_vars(node) - parameters, key=lambda x: x.id):
                value = _solved(node, variable)
                if variable not in places and value is not None and free_vars(value) <= parameters:
                    places[variable] = value
    return places
