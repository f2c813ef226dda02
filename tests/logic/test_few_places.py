"""Arrays of which a few places are known: one store for each, and reading there folds."""

from __future__ import annotations

from revet.logic import build as b
from revet.logic.arrays import compact, has_few_places, with_named_elements
from revet.logic.evaluate import evaluate
from revet.logic.sorts import INT, ArraySort
from revet.logic.terms import Term
from revet.logic.values import ArrayValue
from revet.logic.walk import substitute

A = b.var("a", ArraySort(INT, INT))
X = b.var("x", INT)


def written(*pairs: tuple[int | Term, int | Term]) -> Term:
    array = A
    for index, value in pairs:
        array = b.store(array, _term(index), _term(value))
    return array


def _term(value: int | Term) -> Term:
    return value if isinstance(value, Term) else b.const(value, INT)


def test_only_the_last_store_at_a_place_stays() -> None:
    found = compact(written((1, 10), (2, 20), (1, 11), (3, 30), (2, 21)))
    assert found is written((1, 11), (3, 30), (2, 21))
    assert compact(found) is found and compact(A) is A and compact(X) is X


def test_a_store_at_an_open_place_hides_those_before() -> None:
    array = written((1, 10), (X, 5), (2, 20), (2, 21))
    assert compact(array) is written((1, 10), (X, 5), (2, 21))
    for place in (1, 2, 7):
        given = {A: ArrayValue(0, {1: 4}), X: place}
        assert evaluate(array, given) == evaluate(compact(array), given)


def test_what_may_stand_for_itself() -> None:
    assert has_few_places(written((1, 10), (2, X))) and has_few_places(A)
    assert not has_few_places(written((X, 1)))
    assert not has_few_places(written((1, X + 1)))
    assert not has_few_places(b.store(b.const_array(A.sort, X), _term(1), _term(2)))
    assert not has_few_places(written(*((place, X) for place in range(1000))))
    assert not has_few_places(written((0, X), *((place, 0) for place in range(1, 1000))))
    assert b.select(written((1, 10), (2, X)), _term(2)) is X


def test_a_table_of_constants_may_be_larger() -> None:
    table = written(*((place, place * place) for place in range(300)))
    assert has_few_places(table) and b.select(table, _term(17)) is _term(17 * 17)
    again = compact(b.store(table, _term(17), _term(1)))
    assert has_few_places(again) and b.select(again, _term(17)) is _term(1)
    assert not has_few_places(written(*((place, 0) for place in range(2000))))


def test_elements_that_are_computed_get_names():
    names = {}

    def name(index, element):
        return names.setdefault(element, b.var(f"named{len(names)}", INT))

    array = written((1, X + 1), (2, 20), (3, X), (4, X * 2))
    found = with_named_elements(array, name)
    assert has_few_places(found) and list(names) == [X + 1, X * 2]
    assert substitute(found, {named: element for element, named in names.items()}) is array
    zero = b.const_array(A.sort, _term(0))
    for other in (A, X, written((1, 2)), written((X, X + 1)), b.store(zero, _term(1), X + 1)):
        assert with_named_elements(other, name) is other
