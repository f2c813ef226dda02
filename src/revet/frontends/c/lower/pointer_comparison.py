"""Comparisons of pointers whose result C leaves open.

``<`` and its kin, and differences, are defined for pointers into one object only; whether two string literals
with a common end are one object, and whether one object begins where another ends, is up to the compiler.
What depends on where Revet puts its objects must not decide an answer: the result is any. The interpreter
stops there (``interpret/operators.py``) or notes it, so no counterexample rests on one either.
"""

from __future__ import annotations

from itertools import combinations

from revet.frontends.c import ast
from revet.frontends.c.analysis.classes import Node
from revet.frontends.c.analysis.storage import bytes_of
from revet.frontends.c.lower.context import Context
from revet.frontends.c.types import Array, Function, Int, Pointer
from revet.logic import build as b
from revet.logic.terms import FALSE, TRUE, Op, Term

ONE_OBJECT = "pointers that are compared by < and its kin, or subtracted, point into one object"
APART = "a pointer just behind an allocated block is not the address of another object"
_MOST_OBJECTS = 64


def compare_pointers(context: Context, node: ast.Binary, left: Term, right: Term, holds: Term) -> Term:
    """``holds`` where C says what the result is, otherwise anything."""
    if left is right or _is_null(left, right):
        return holds
    if isinstance(node.left.type, Pointer) and isinstance(node.left.type.target, Function):
        return holds
    points_to = context.storage.points_to
    nodes = [points_to.target(node.left), points_to.target(node.right)]
    if node.op in ("==", "!="):
        open_ = b.or_(
            _merged_strings(context, nodes, left, right), _adjacent(context, nodes, left, right),
            _made_of_number(context, left, right),
        )
    else:
        open_ = _different_objects(context, nodes, left, right)
    if open_ is FALSE:
        return holds
    type = context.model.int
    return b.ite(open_, context.arithmetic.truth(type, _any(context, node, type)), holds)


def difference(context: Context, node: ast.PointerDiff, left: Term, right: Term, distance: Term) -> Term:
    """``distance`` where both pointers lead into one object, otherwise anything."""
    if left is right:
        return distance
    points_to = context.storage.points_to
    nodes = [points_to.target(node.left), points_to.target(node.right)]
    open_ = _different_objects(context, nodes, left, right)
    assert isinstance(node.type, Int)
    return distance if open_ is FALSE else b.ite(open_, _any(context, node, node.type), distance)


def _any(context: Context, node: ast.Expr, type: Int) -> Term:
    value = context.temporary((node, "order"), "order", type)
    context.flow.havoc(value)
    context.assume_range(type, value)
    return value


def _is_null(*terms: Term) -> bool:
    return any(term.op == Op.CONST and term.payload == 0 for term in terms)


def _different_objects(context: Context, nodes: list[Node], left: Term, right: Term) -> Term:
    """The condition under which two pointers lead to different objects, as far as it is known."""
    first, second = nodes
    if first is not second:
        return TRUE
    objects = _variables(context, first) + _strings(context, first)
    if first.heap or first.unknown or len(objects) > _MOST_OBJECTS:
        context.assumptions.setdefault(ONE_OBJECT)
        return FALSE
    if len(objects) < 2:
        return FALSE
    return b.not_(b.disjunction(
        b.and_(_inside(context, left, each), _inside(context, right, each)) for each in objects
    ))


def _variables(context: Context, node: Node) -> list[tuple[int, int]]:
    """Addresses and sizes; one byte past the end belongs to an object, too."""
    return [
        (context.memory.variable_base(variable, depth), bytes_of(variable.type))
        for variable in context.storage.addressed(node)
        for depth in range(context.storage.activations(variable))
    ]


def _strings(context: Context, node: Node) -> list[tuple[int, int]]:
    return [(_address(context, string), len(string.data)) for string in node.strings]


def _address(context: Context, string: ast.StringConst) -> int:
    context.memory.string(string)
    return context.memory.base(string, 0, 0)


def _inside(context: Context, pointer: Term, each: tuple[int, int]) -> Term:
    type = context.symbols.address_type
    compare, constant = context.arithmetic.compare, context.arithmetic.constant
    start, size = each
    above = compare("<=", type, constant(type, start), pointer)
    return b.and_(above, compare("<=", type, pointer, constant(type, start + size)))


def _adjacent(context: Context, nodes: list[Node], left: Term, right: Term) -> Term:
    """Does one pointer lead just behind an object, and the other one to the beginning of another?"""
    if not any(node.moved or node.computed or node.inner or _has_array(context, node) for node in nodes):
        return FALSE
    objects = [_variables(context, node) + _strings(context, node) for node in nodes]
    if max(map(len, objects)) > _MOST_OBJECTS:
        context.assumptions.setdefault(APART)
        return FALSE
    if any(node.heap for node in nodes):
        context.assumptions.setdefault(APART)
    found: list[Term] = []
    for behind, first, others in ((left, right, objects), (right, left, objects[::-1])):
        begins = b.disjunction(_is(context, first, start) for start, _ in others[1])
        found += [
            b.and_(_is(context, behind, start + size), begins, b.not_(_is(context, first, start)))
            for start, size in others[0]
        ]
    return b.disjunction(found)


def _has_array(context: Context, node: Node) -> bool:
    return any(isinstance(variable.type, Array) for variable in context.storage.addressed(node))


def _is(context: Context, pointer: Term, address: int) -> Term:
    return b.eq(pointer, context.memory.constant(address))


def _made_of_number(context: Context, left: Term, right: Term) -> Term:
    """Is a pointer compared with another one that was written as a number? An object may be there."""
    numbers = context.storage.written_addresses
    written = b.disjunction(_is(context, one, number) for number in numbers for one in (left, right))
    return b.and_(b.not_(b.eq(left, right)), written)


def _merged_strings(context: Context, nodes: list[Node], left: Term, right: Term) -> Term:
    """Do the pointers lead into different literals that may be stored as one?"""
    if nodes[0] is not nodes[1] and not (nodes[0].strings and nodes[1].strings):
        return FALSE
    strings = list({**nodes[0].strings, **nodes[1].strings})[:_MOST_OBJECTS]
    found: list[Term] = []
    for one, other in combinations(strings, 2):
        short, long = sorted((one, other), key=lambda string: len(string.data))
        if long.data[len(long.data) - len(short.data) :] != short.data:
            continue
        spans = [(_address(context, string), len(string.data)) for string in (one, other)]
        found += [
            b.and_(_inside(context, left, first), _inside(context, right, second))
            for first, second in (spans, spans[::-1])
        ]
    return b.disjunction(found)
