"""Comparisons of pointers whose result C leaves open.

``<`` and its kin are defined for pointers into one object only; whether two string literals with a common
end are one object is up to the compiler. What depends on where Revet puts its objects must not decide
an answer: such a comparison has any result. The interpreter stops there (``interpret/operators.py``), so no
counterexample rests on one either.
"""

from __future__ import annotations

from itertools import combinations

from revet.frontends.c import ast
from revet.frontends.c.analysis.classes import Node
from revet.frontends.c.analysis.storage import bytes_of
from revet.frontends.c.lower.context import Context
from revet.frontends.c.types import Function, Pointer
from revet.logic import build as b
from revet.logic.terms import FALSE, TRUE, Op, Term

ONE_OBJECT = "pointers that are compared by < and its kin point into one object"
_MOST_OBJECTS = 64


def compare_pointers(context: Context, node: ast.Binary, left: Term, right: Term, holds: Term) -> Term:
    """``holds`` where C says what the result is, otherwise anything."""
    if holds in (TRUE, FALSE) or (Op.CONST in (left.op, right.op) and _is_null(left, right)):
        return holds
    if isinstance(node.left.type, Pointer) and isinstance(node.left.type.target, Function):
        return holds
    points_to = context.storage.points_to
    nodes = [points_to.target(node.left), points_to.target(node.right)]
    if node.op in ("==", "!="):
        open_ = _merged_strings(context, nodes, left, right)
    else:
        open_ = _different_objects(context, nodes, left, right)
    if open_ is FALSE:
        return holds
    any_ = context.temporary((node, "order"), "order", context.model.int)
    context.flow.havoc(any_)
    context.assume_range(context.model.int, any_)
    return b.ite(open_, context.arithmetic.truth(context.model.int, any_), holds)


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
