"""Smart constructors for arrays (total maps)."""

from __future__ import annotations

from revet.errors import SortError
from revet.logic.core import eq, fold, require
from revet.logic.sorts import ArraySort, Sort
from revet.logic.terms import FALSE, TRUE, Op, Term


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


def const_array(sort: Sort, value: Term) -> Term:
    """The array that holds ``value`` everywhere."""
    if not isinstance(sort, ArraySort):
        raise SortError(f"expected an array sort, got {sort}")
    require(Op.CONST_ARRAY, value, sort.element)
    return fold(Op.CONST_ARRAY, (value,), sort)
