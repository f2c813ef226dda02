"""Terms as Python functions for three-valued evaluation: the explicit domain's inner loop.

A function takes the values that are known and returns a value, or None where they do not
determine it. Conjunctions and disjunctions stop at the first argument that decides. A
term too large or too deep for nested calls is evaluated by a stack machine
(:func:`partial_value`), which also knows shared parts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from revet.logic.semantics import apply_operator
from revet.logic.sorts import BOOL, INT
from revet.logic.terms import Op, Term
from revet.logic.values import Value
from revet.logic.walk import subterms

Values = Mapping[Term, Value]
Function = Callable[[Values], Value | None]

_LARGEST, _DEEPEST = 400, 60
_UNKNOWABLE = (Op.APPLY, Op.FORALL, Op.EXISTS)


def compiled(term: Term) -> Function:
    """A function for the value of the term."""
    functions: dict[Term, Function] = {}
    depth: dict[Term, int] = {}
    size: dict[Term, int] = {}
    for node in subterms(term):
        depth[node] = 1 + max((depth[arg] for arg in node.args), default=0)
        size[node] = 1 + sum(size[arg] for arg in node.args)
        if depth[node] > _DEEPEST or size[node] > _LARGEST:
            return lambda values: partial_value(term, values)
        functions[node] = _function(node, [functions[arg] for arg in node.args])
    return functions[term]


def _function(node: Term, args: list[Function]) -> Function:
    op = node.op
    if op == Op.CONST:
        constant = node.value
        return lambda values: constant
    if op == Op.VAR:
        return lambda values: values.get(node)
    if op in _UNKNOWABLE:
        return lambda values: None
    if op in (Op.AND, Op.OR):
        return _junction(args, op == Op.OR)
    if op == Op.NOT:
        inner = args[0]
        return lambda values: None if (value := inner(values)) is None else value is False
    if op == Op.ITE:
        return _conditional(*args)
    if op == Op.EQ and node.args[0].sort in (INT, BOOL):
        return _equality(node, *args)
    return _operator(node, args)


def _junction(args: list[Function], decisive: bool) -> Function:
    def junction(values: Values) -> Value | None:
        result: Value | None = not decisive
        for arg in args:
            value = arg(values)
            if value is decisive:
                return decisive
            if value is None:
                result = None
        return result

    return junction


def _conditional(condition: Function, then: Function, otherwise: Function) -> Function:
    def conditional(values: Values) -> Value | None:
        chosen = condition(values)
        if chosen is not None:
            return then(values) if chosen is True else otherwise(values)
        value = then(values)
        return value if value is not None and value == otherwise(values) else None

    return conditional


def _equality(node: Term, left: Function, right: Function) -> Function:
    variable, constant = node.args
    if variable.op == Op.CONST:
        variable, constant = constant, variable
    if variable.op == Op.VAR and constant.op == Op.CONST:
        wanted = constant.value
        return lambda values: None if (value := values.get(variable)) is None else value == wanted

    def equality(values: Values) -> Value | None:
        one = left(values)
        if one is None:
            return None
        other = right(values)
        return None if other is None else one == other

    return equality


def _operator(node: Term, args: list[Function]) -> Function:
    op, payload, sort = node.op, node.payload, node.sort
    sorts = [arg.sort for arg in node.args]

    def operator(values: Values) -> Value | None:
        arguments: list[Value] = []
        for arg in args:
            value = arg(values)
            if value is None:
                return None
            arguments.append(value)
        return apply_operator(op, payload, sort, sorts, arguments)

    return operator


class _Open:
    """The value of a term that is not determined."""


_OPEN = _Open()


def partial_value(term: Term, values: Values) -> Value | None:
    """The same without nested calls, every shared part once."""
    memo: dict[Term, Value | _Open] = dict(values)
    for node in subterms(term):
        if node in memo:
            continue
        if node.op == Op.VAR:
            memo[node] = _OPEN
            continue
        known = {}
        for arg in node.args:
            value = memo[arg]
            if not isinstance(value, _Open):
                known[arg] = value
        result = _function(node, [_reader(known.get(arg)) for arg in node.args])(known)
        memo[node] = _OPEN if result is None else result
    found = memo[term]
    return None if isinstance(found, _Open) else found


def _reader(value: Value | None) -> Function:
    return lambda values: value
