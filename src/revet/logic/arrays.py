"""Smart constructors for arrays (total maps)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.errors import SortError
from revet.logic.core import eq, fold, require
from revet.logic.sorts import ArraySort, Sort
from revet.logic.terms import FALSE, TRUE, Op, Term

if TYPE_CHECKING:
    from collections.abc import Callable

_FEW_PLACES = 256
_CONSTANT_PLACES = 1024
"""Enough for tables that a program computes before it begins: reading them folds, too."""


def array_sort(term: Term) -> ArraySort:
    if not isinstance(term.sort, ArraySort):
        raise SortError(f"expected an array, got {term!r} of sort {term.sort}")
    return term.sort


def select(array: Term, index: Term) -> Term:
    """Reads through stores as long as the indices are decidedly equal or different."""
    sort = array_sort(array)
    require(Op.SELECT, index, sort.index)
    while array.op == Op.STORE:
        same = eq(array.args[1], index)
        if same is TRUE:
            return array.args[2]
        if same is not FALSE:
            break
        array = array.args[0]
    if array.op == Op.CONST_ARRAY:
        return array.args[0]
    return fold(Op.SELECT, (array, index), sort.element)


def store(array: Term, index: Term, value: Term) -> Term:
    sort = array_sort(array)
    require(Op.STORE, index, sort.index)
    require(Op.STORE, value, sort.element)
    if array.op == Op.STORE and array.args[1] is index:
        array = array.args[0]
    return fold(Op.STORE, (array, index, value), sort)


def compact(array: Term) -> Term:
    """The same array (or any other term) with one store at most for each constant index: the last one."""
    places: dict[Term, Term] = {}
    rest, stores, most = array, 0, _CONSTANT_PLACES
    while rest.op == Op.STORE and rest.args[1].op == Op.CONST:
        if rest.args[2].op != Op.CONST:
            most = _FEW_PLACES
        if len(places) > most:
            break
        places.setdefault(rest.args[1], rest.args[2])
        rest, stores = rest.args[0], stores + 1
    if stores == len(places):
        return array
    for index, value in reversed(places.items()):
        rest = store(rest, index, value)
    return rest


def has_few_places(array: Term) -> bool:
    """Is this an array variable with constants or variables at a few constant indices, or constants at some
    more? Reading there folds, so it may stand for its value wherever that is used."""
    places, most = 0, _CONSTANT_PLACES
    while array.op == Op.STORE and array.args[1].op == Op.CONST:
        value = array.args[2]
        if value.op == Op.VAR:
            most = _FEW_PLACES
        elif value.op != Op.CONST:
            return False
        places += 1
        if places > most:
            return False
        array = array.args[0]
    return array.op == Op.VAR


def with_named_elements(array: Term, name: Callable[[Term, Term], Term]) -> Term:
    """An array variable with elements at a few constant indices, where ``name(index, element)`` stands for
    each element that is neither constant nor variable; any other term as it is.

    What is read elsewhere from such an array still folds, which a name for the whole array would prevent.
    """
    places: list[tuple[Term, Term]] = []
    rest = array
    while rest.op == Op.STORE and rest.args[1].op == Op.CONST and len(places) < _FEW_PLACES:
        places.append((rest.args[1], rest.args[2]))
        rest = rest.args[0]
    if rest.op != Op.VAR or all(element.op in (Op.CONST, Op.VAR) for _, element in places):
        return array
    for index, element in reversed(places):
        plain = element.op in (Op.CONST, Op.VAR)
        rest = store(rest, index, element if plain else name(index, element))
    return rest


def known_places(array: Term) -> tuple[Term, dict[Term, Term]]:
    """The array below the stores at constant indices, and what these leave at each index."""
    places: dict[Term, Term] = {}
    while array.op == Op.STORE and array.args[1].op == Op.CONST:
        places.setdefault(array.args[1], array.args[2])
        array = array.args[0]
    return array, places


def const_array(sort: Sort, value: Term) -> Term:
    """The array that holds ``value`` everywhere."""
    if not isinstance(sort, ArraySort):
        raise SortError(f"expected an array sort, got {sort}")
    require(Op.CONST_ARRAY, value, sort.element)
    return fold(Op.CONST_ARRAY, (value,), sort)
