"""Values of structured types as terms.

=================================  ===========================================================
type                               value
=================================  ===========================================================
scalar, enumeration, abstract      a term (of sort Int for the last two)
tuple, record                      a tuple of values
array whose size is a number       a tuple of values
other array                        :class:`Table`: the element's value, with terms of array sort
set                                a term: an array from the element's terms to Bool
map                                (the set of its keys, :class:`Table` of the values)
datatype                           (number of the constructor, the fields of each constructor)
datatype that contains itself      a term of sort Int: a code, see :mod:`.lower_codes`
=================================  ===========================================================

The fields of constructors other than the value's own are zero, so that equal values have equal terms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from revet.frontends.lustre.types import (
    BOOL,
    REAL,
    ArrayOf,
    Basic,
    Datatype,
    Machine,
    MapOf,
    Record,
    SetOf,
    TupleOf,
    Type,
    is_recursive,
    plain,
)
from revet.logic import build as b
from revet.logic.sorts import BOOL as BOOL_SORT
from revet.logic.sorts import INT as INT_SORT
from revet.logic.sorts import REAL as REAL_SORT
from revet.logic.sorts import Array, BitVec, Sort
from revet.logic.terms import TRUE, Op, Term
from revet.logic.values import default_value

_FEW = 8


@dataclass(frozen=True, slots=True)
class Table:
    """A family of values: every term in ``value`` is an array over ``keys``, the outermost first."""

    value: Value
    keys: tuple[Sort, ...]


Value = Term | Table | tuple["Value", ...]


def scalar_sort(type_: Type) -> Sort:
    """The sort of a type whose values are single terms."""
    match type_:
        case Machine(width=width):
            return BitVec(width)
        case Basic():
            return {BOOL: BOOL_SORT, REAL: REAL_SORT}.get(type_, INT_SORT)
    return INT_SORT


def is_code(type_: Type) -> bool:
    return isinstance(type_, Datatype) and is_recursive(type_)


def has_container(type_: Type) -> bool:
    """Is there an array, set or map in the terms of a value?"""
    match plain(type_):
        case ArrayOf() | SetOf() | MapOf():
            return True
        case TupleOf(items=items):
            return any(map(has_container, items))
        case Record(fields=fields):
            return any(has_container(part) for _, part in fields)
        case Datatype(constructors=constructors) as data if not is_code(data):
            return any(has_container(part) for c in constructors for _, part in c.fields)
    return False


def terms(value: Value) -> Iterator[Term]:
    """The terms of a value, in order."""
    if isinstance(value, tuple):
        for part in value:
            yield from terms(part)
    elif isinstance(value, Table):
        yield from terms(value.value)
    else:
        yield value


def zip_terms(function: Callable[..., Term], *values: Value) -> Value:
    """Apply a function term by term to values of one shape."""
    first = values[0]
    if isinstance(first, tuple):
        return tuple(zip_terms(function, *parts) for parts in zip(*values, strict=True))
    if isinstance(first, Table):
        inner = [value.value for value in values if isinstance(value, Table)]
        assert len(inner) == len(values)
        return Table(zip_terms(function, *inner), first.keys)
    return function(*values)


def choice(condition: Term, then: Value, otherwise: Value) -> Value:
    if condition is b.TRUE or then is otherwise:
        return then
    if condition is b.FALSE:
        return otherwise
    return zip_terms(lambda x, y: b.ite(condition, x, y), then, otherwise)


def lifted(sort: Sort, keys: Sequence[Sort]) -> Sort:
    """Arrays over the keys, the first one outermost."""
    for key in reversed(keys):
        sort = Array(key, sort)
    return sort


def select(array: Term, keys: Sequence[Term]) -> Term:
    for key in keys:
        array = b.select(array, key)
    return array


def contains(domain: Term, keys: Sequence[Term]) -> Term:
    """Is it in this set? A few elements that were put in or taken out are compared, one by one."""
    tests: list[tuple[Term, bool]] = []
    rest = domain
    while len(keys) == 1 and rest.op == Op.STORE and rest.args[2].op == Op.CONST and len(tests) < _FEW:
        tests.append((b.eq(keys[0], rest.args[1]), rest.args[2] is TRUE))
        rest = rest.args[0]
    found = select(rest, keys)
    for test, inside in reversed(tests):
        found = b.or_(test, found) if inside else b.and_(b.not_(test), found)
    return found


def store(array: Term, keys: Sequence[Term], value: Term) -> Term:
    if not keys:
        return value
    inner = store(b.select(array, keys[0]), keys[1:], value)
    return b.store(array, keys[0], inner)


def constant(value: Term, keys: Sequence[Sort]) -> Term:
    """The array that has the value everywhere."""
    for key in reversed(keys):
        value = b.const_array(Array(key, value.sort), value)
    return value


def entry(table: Table, keys: Sequence[Term]) -> Value:
    return zip_terms(lambda array: select(array, keys), table.value)


def changed(table: Table, keys: Sequence[Term], value: Value) -> Table:
    return Table(zip_terms(lambda array, part: store(array, keys, part), table.value, value), table.keys)


def key_sorts(type_: Type) -> list[Sort]:
    """The sorts of the terms of a type without arrays, sets and maps."""
    match plain(type_):
        case TupleOf(items=items):
            return [sort for item in items for sort in key_sorts(item)]
        case Record(fields=fields):
            return [sort for _, part in fields for sort in key_sorts(part)]
        case Datatype(constructors=constructors) as data if not is_code(data):
            inner = [sort for c in constructors for _, part in c.fields for sort in key_sorts(part)]
            return [INT_SORT, *inner]
    return [scalar_sort(plain(type_))]


def zero(type_: Type) -> Value:
    """The value of a field that a value does not have; KeyError for an array of unknown size."""
    match plain(type_):
        case SetOf(element=element):
            return constant(b.FALSE, key_sorts(element))
        case MapOf(key=key, value=part):
            sorts = tuple(key_sorts(key))
            inner = zip_terms(lambda term: constant(term, sorts), zero(part))
            return (constant(b.FALSE, sorts), Table(inner, sorts))
        case ArrayOf(element=element) as array:
            if array.length is None:
                raise KeyError(array)
            return (zero(element),) * array.length
        case TupleOf(items=items):
            return tuple(zero(item) for item in items)
        case Record(fields=fields):
            return tuple(zero(part) for _, part in fields)
        case Datatype(constructors=constructors) as data if not is_code(data):
            return (b.integer(0), *(tuple(zero(part) for _, part in c.fields) for c in constructors))
    sort = scalar_sort(plain(type_))
    return b.const(default_value(sort), sort)


def scalar_constant(value: bool | int | Fraction, type_: Type) -> Term:
    if isinstance(value, bool):
        return b.boolean(value)
    return b.real(value) if type_ == REAL else b.integer(int(value))
