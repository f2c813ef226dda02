"""The explicit-value domain: for some variables, the one value that they have.

An abstract state maps variables to values; a variable that is missing may have any value. A
step is evaluated in three-valued logic, by evaluation of the program's terms: no solver is
asked. A guard that is false ends the run; one that stays open lets it pass, and teaches what its
conjuncts say about single variables (``x = 3``; after constants are put in, also parts such as
``a = 1 or x = 3``).

Beyer, Löwe: *Explicit-state software model checking based on CEGAR and interpolation*, FASE 2013.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from revet.engines.cegar.graph import Step
from revet.logic.core import const, eq, not_
from revet.logic.semantics import apply_operator
from revet.logic.sorts import BOOL, INT, ArraySort
from revet.logic.terms import FALSE, TRUE, Op, Term
from revet.logic.values import Value
from revet.logic.walk import conjuncts, free_vars, substitute

Values = Mapping[Term, Value]


class _Open:
    """The value of a term that is not determined."""

    def __repr__(self) -> str:
        return "open"


OPEN = _Open()
_Known = Value | _Open


def partial_value(term: Term, memo: dict[Term, _Known]) -> _Known:
    """The value of a term as far as ``memo`` (variables with values, and results) determines it."""
    stack = [term]
    while stack:
        node = stack[-1]
        if node in memo:
            stack.pop()
            continue
        result = _node(node, memo)
        if isinstance(result, Term):
            stack.append(result)
        else:
            stack.pop()
            memo[node] = result
    return memo[term]


def _node(node: Term, memo: dict[Term, _Known]) -> _Known | Term:
    """The node's value, or the argument whose value is needed next."""
    op = node.op
    if op == Op.CONST:
        return node.value
    if op in (Op.AND, Op.OR):
        return _connective(node, op == Op.OR, memo)
    if op == Op.ITE:
        return _choice(node, memo)
    if op in (Op.VAR, Op.APPLY, Op.FORALL, Op.EXISTS):
        return OPEN
    arguments: list[Value] = []
    for arg in node.args:
        value = memo.get(arg)
        if value is None:
            return arg
        if value is OPEN:
            return OPEN
        arguments.append(value)  # type: ignore[arg-type]
    if op == Op.EQ and node.args[0].sort in (INT, BOOL):
        return arguments[0] == arguments[1]
    if op == Op.NOT:
        return arguments[0] is False
    return apply_operator(op, node.payload, node.sort, [arg.sort for arg in node.args], arguments)


def _connective(node: Term, decisive: bool, memo: dict[Term, _Known]) -> _Known | Term:
    result: _Known = not decisive
    for arg in node.args:
        value = memo.get(arg)
        if value is None:
            return arg
        if value is decisive:
            return decisive
        if value is OPEN:
            result = OPEN
    return result


def _choice(node: Term, memo: dict[Term, _Known]) -> _Known | Term:
    condition, then, otherwise = node.args
    value = memo.get(condition)
    if value is None:
        return condition
    if value is not OPEN:
        arm = then if value is True else otherwise
        return memo.get(arm, arm)
    for arm in (then, otherwise):
        if arm not in memo:
            return arm
    same = memo[then] is not OPEN and memo[then] == memo[otherwise]
    return memo[then] if same else OPEN


def post(values: Values, step: Step, tracked: frozenset[Term]) -> dict[Term, Value] | None:
    """The values of ``tracked`` variables after the step, those that are known; None: no way."""
    memo: dict[Term, _Known] = dict(values)
    learnt = _pass_guard(step, memo)
    if learnt is None:
        return None
    updates = step.relation.updates
    after: dict[Term, Value] = {}
    for variable in tracked:
        update = updates.get(variable)
        if update is None:
            known: _Known = memo.get(variable, OPEN)
        else:
            known = partial_value(update, memo)
        if not isinstance(known, _Open):
            after[variable] = known
    return after


def _pass_guard(step: Step, memo: dict[Term, _Known]) -> bool | None:
    """Evaluate the guard; put what it teaches into the memo. None if it is false."""
    taught = False
    while True:
        undecided: list[Term] = []
        for part in step.guards:
            value = partial_value(part, memo)
            if value is False:
                return None
            if value is OPEN:
                undecided.append(part)
        new: dict[Term, Value] = {}
        for part in undecided:
            if not _teach(part, memo, new):
                return None
        if not new:
            return taught
        taught = True
        known = {node: value for node, value in memo.items() if node.op == Op.VAR and value is not OPEN}
        memo.clear()
        memo.update(known)
        memo.update(new)


def _teach(part: Term, memo: dict[Term, _Known], new: dict[Term, Value]) -> bool:
    """Equations between a variable and a constant that an undecided conjunct implies.

    False if the conjunct contradicts one that was found before.
    """
    if part.op not in (Op.EQ, Op.VAR, Op.NOT):
        if len([x for x in free_vars(part) if memo.get(x, OPEN) is OPEN]) != 1:
            return True  # rarely an equation: not worth a substitution
        part = substitute(part, constants(part, memo))
    elif part.op == Op.EQ and not part.args[1].is_const and not part.args[0].is_const:
        part = substitute(part, constants(part, memo))
    if part is FALSE:
        return False
    for conjunct in conjuncts(part) if part is not TRUE else ():
        found = _equation(conjunct)
        if found is not None:
            variable, value = found
            if new.setdefault(variable, value) != value:
                return False
    return True


def constants(term: Term, memo: Mapping[Term, _Known]) -> dict[Term, Term]:
    found: dict[Term, Term] = {}
    for x in free_vars(term):
        value = memo.get(x, OPEN)
        if not isinstance(value, _Open):
            found[x] = const(value, x.sort)
    return found


def _equation(literal: Term) -> tuple[Term, Value] | None:
    """``x = c``, and Boolean variables as they are."""
    if literal.op == Op.VAR:
        return literal, True
    if literal.op == Op.NOT and literal.args[0].op == Op.VAR:
        return literal.args[0], False
    if literal.op == Op.EQ:
        left, right = literal.args
        if left.op == Op.VAR and right.op == Op.CONST:
            return left, right.value
        if right.op == Op.VAR and left.op == Op.CONST:
            return right, left.value
    return None


def initial(precondition: Term, tracked: frozenset[Term]) -> dict[Term, Value]:
    """The values that the precondition fixes."""
    found = (_equation(part) for part in conjuncts(precondition))
    return {x: value for x, value in filter(None, found) if x in tracked}


def formulas(values: Values) -> tuple[Term, ...]:
    """The state as equations, in a fixed order."""
    return tuple(_says(x, value) for x, value in sorted(values.items(), key=lambda item: item[0].id))


def _says(variable: Term, value: Value) -> Term:
    if variable.sort is BOOL:
        return variable if value is True else not_(variable)
    return eq(variable, const(value, variable.sort))


def trackable(variables: Iterable[Term]) -> frozenset[Term]:
    """Variables that have a value to track; arrays are left to the predicates."""
    return frozenset(x for x in variables if not isinstance(x.sort, ArraySort))
