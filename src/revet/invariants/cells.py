"""Candidates about watched array cells: if the place lies in a range, then its contents are so.

A parameter ``k`` is compared with places by the edges (``k = i``, ``k = 4*i + base``: the cell is
written or read there). Ranges reach from one *landmark* to another; landmarks are those places, also
one further, and what they are when the variable in them has the value it is compared with or starts
with (``0``, ``n``). What may hold of a cell's contents: comparisons with each other, with variables and
with constants, what is stored there (``a[i] := 2*i`` suggests ``a[k] = 2*k``), and what the error's
guard denies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, product
from math import gcd

from revet.invariants.candidates import Candidates, both_ways
from revet.invariants.templates import is_range
from revet.logic.arith import add, le, lt, mod, mul, sub
from revet.logic.core import and_, const, eq, implies
from revet.logic.linear import linear_form, normalize_literal
from revet.logic.sorts import INT
from revet.logic.terms import FALSE, TRUE, Op, Term
from revet.logic.walk import atoms, free_vars, substitute, subterms
from revet.model.names import is_content
from revet.model.relation import Relation

_CLAIMS = 50


def about_cells(found: Candidates, claims: list[Term]) -> list[Term]:
    """Implications from ranges of a parameter to claims about contents; [] without parameters."""
    parameters = [x for x in _plain(found.parameters) if x.sort is INT]
    if not parameters:
        return []
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
        for stride, family in _families(cell, places).items():
            further = [add(place, const(1, INT)) for place in family]
            starts, ends = _marks(found, family, _starts), _marks(found, family, _ends)
            pairs = [*product(starts, family), *product(starts, ends), *product([*family, *further], ends)]
            between = [and_(le(low, cell), lt(cell, high)) for low, high in pairs if low is not high]
            between += [side for place in family for side in (lt(cell, place), le(place, cell))]
            ranges.update({and_(stride, range_): None for range_ in between})
    return [r for r in ranges if r not in (TRUE, FALSE)]


def _families(cell: Term, places: list[Term]) -> dict[Term, list[Term]]:
    """Places by what every cell that they meet has in common: ``base + 4*i`` meets one in four, those
    with the base's remainder."""
    families: dict[tuple[int, Term], list[Term]] = {}
    for place in places:
        form, constant = linear_form(place)
        factors = {x: int(f) for x, f in form.items()}
        step = gcd(*(f for f in factors.values() if abs(f) > 1))
        single = [mul(const(f, INT), x) for x, f in factors.items() if abs(f) == 1]
        base = add(*single, const(int(constant), INT)) if step else const(0, INT)
        families.setdefault((step, base), []).append(place)
    return {
        eq(mod(sub(cell, base), const(step, INT)), const(0, INT)) if step else TRUE: family
        for (step, base), family in families.items()
    }


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


def claims_of_the_program(found: Candidates) -> list[Term]:
    """What the program stores and what its errors deny: mostly enough, and few."""
    claims: dict[Term, None] = {}
    for claim in [*_denied(found), *_stored(found)]:
        claims.update(dict.fromkeys(both_ways(claim)))
    return _tidy(found, claims)[:_CLAIMS]


def claims_about_order(found: Candidates) -> list[Term]:
    """Contents compared with each other, with variables and with constants."""
    contents = [x for x in _contents(found) if x.sort is INT]
    others = [x for x in _plain([*found.numbers, *found.parameters]) if x.sort is INT]
    claims: dict[Term, None] = {}
    for x, y in [*combinations(contents, 2), *product(contents, others)]:
        claims.update({le(x, y): None, le(y, x): None})
    for x, place in product(contents, _plain(found.parameters)):
        if place.sort is INT:
            claims.update({lt(x, place): None, lt(place, x): None})
    for x, c in product(contents, found.constants):
        claims.update({le(x, const(c, INT)): None, le(const(c, INT), x): None})
    return _tidy(found, claims)[:_CLAIMS]


def _contents(found: Candidates) -> list[Term]:
    return [x for x in found.cfa.variables if is_content(x)]


def _tidy(found: Candidates, claims: Iterable[Term]) -> list[Term]:
    """Without those that say nothing about contents, or something about what is no state."""
    contents = frozenset(_contents(found))
    tidy = dict.fromkeys(normalize_literal(c) for c in claims if free_vars(c) <= found.variables)
    return [c for c in tidy if c not in (TRUE, FALSE) and contents & free_vars(c)]


def _denied(found: Candidates) -> Iterator[Term]:
    """Atoms of error guards, at the place of the cell."""
    for edge, step in found.steps.items():
        if edge.target in found.cfa.errors:
            place = _known_places(found, step.guard)
            for read in _reads(found, step):
                for atom in atoms(step.guard):
                    if not is_range(atom) and all(x.op != Op.ITE for x in subterms(atom)):
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


def _reads(found: Candidates, step: Relation) -> list[dict[Term, Term]]:
    """What an edge reads from the arrays, as the contents of the watched cells.

    The edge says ``place = cell or content = read``, negated on the left, for every place and cell.
    One choice for every place that the parameter may be: the contents that are read then."""
    watched = [
        (condition.args[0], read, content)
        for node in subterms(step.guard)
        if node.op == Op.OR and len(node.args) == 2
        for condition, equation in (node.args, node.args[::-1])
        if condition.op == Op.NOT and condition.args[0].op == equation.op == Op.EQ
        for content, read in (equation.args, equation.args[::-1])
        if content.op == read.op == Op.VAR and is_content(content) and read not in found.variables
    ]
    choices: dict[frozenset[tuple[Term, Term]], None] = {}
    for parameter in _plain(found.parameters):
        for condition, _, _ in watched:
            place = _solved(condition, parameter)
            if place is not None:
                here = {parameter: place}
                choice = {read: content for c, read, content in watched if _holds(substitute(c, here))}
                choices[frozenset(choice.items())] = None
    return [dict(choice) for choice in choices] or [{}]


def _holds(equation: Term) -> bool:
    return equation is TRUE or (equation.op == Op.EQ and linear_form(sub(*equation.args)) == ({}, 0))


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
