"""From a formula and a model of it to a cube: the literals that make it true there.

:func:`implicant` takes one branch of every disjunction and one arm of every ``ite``, as the model
does. :func:`eliminate_definitions` then uses equations ``local = term`` among the literals to be
rid of locals without asking a solver: large blocks in SSA form are mostly such equations.
"""

from __future__ import annotations

from revet.logic.arith import le
from revet.logic.core import eq, not_
from revet.logic.evaluate import Evaluator
from revet.logic.sorts import BOOL, INT, REAL
from revet.logic.terms import FALSE, TRUE, Op, Term
from revet.logic.walk import conjuncts, free_vars, rebuild, substitute


def split_equality(literal: Term) -> tuple[Term, ...]:
    """``a = b`` on numbers as two inequalities; anything else as it is."""
    if literal.op == Op.EQ and literal.args[0].sort in (INT, REAL):
        left, right = literal.args
        return (le(left, right), le(right, left))
    return (literal,)


def implicant(formula: Term, evaluate: Evaluator) -> list[Term]:
    """Literals, true in the model, whose conjunction implies the formula (true in the model)."""
    found: dict[Term, None] = {}
    seen: set[tuple[Term, bool]] = set()
    stack = [(formula, True)]
    while stack:
        node, polarity = stack.pop()
        if (node, polarity) in seen:
            continue
        seen.add((node, polarity))
        if node.op == Op.NOT:
            stack.append((node.args[0], not polarity))
        elif node.op in (Op.AND, Op.OR):
            if (node.op == Op.AND) is polarity:
                stack.extend((arg, polarity) for arg in reversed(node.args))
            else:  # one branch that decides it
                stack.append((_deciding(node.args, polarity, evaluate, seen), polarity))
        elif node.op == Op.ITE:
            condition = evaluate(node.args[0]) is True
            stack.append((node.args[1] if condition else node.args[2], polarity))
            stack.append((node.args[0], condition))
        elif node.op == Op.EQ and node.args[0].sort is BOOL:
            for arg in node.args:
                stack.append((arg, evaluate(arg) is True))
        elif node.op != Op.CONST:
            literal, conditions = _without_ite(node if polarity else not_(node), evaluate)
            stack.extend((condition, True) for condition in conditions)
            if literal.op in (Op.AND, Op.OR, Op.ITE):
                stack.append((literal, True))
            elif literal is not TRUE:
                found[literal] = None
    return list(found)


def _deciding(
    args: tuple[Term, ...], polarity: bool, evaluate: Evaluator, seen: set[tuple[Term, bool]]
) -> Term:
    """A branch with the wanted value; one that is needed anyway costs nothing."""
    candidates = [arg for arg in args if evaluate(arg) is polarity]
    for arg in candidates:
        if (arg, polarity) in seen:
            return arg
    return min(candidates, key=lambda arg: len(arg.args))


def _without_ite(literal: Term, evaluate: Evaluator) -> tuple[Term, list[Term]]:
    """A literal with every ``ite`` inside replaced by its arm, and the conditions for that."""
    conditions: list[Term] = []
    memo: dict[Term, Term] = {}
    stack = [literal]
    while stack:
        node = stack[-1]
        if node in memo:
            stack.pop()
            continue
        if node.op == Op.ITE and node.sort is not BOOL:
            truth = evaluate(node.args[0]) is True
            arm = node.args[1] if truth else node.args[2]
            if arm not in memo:
                stack.append(arm)
                continue
            conditions.append(node.args[0] if truth else not_(node.args[0]))
            memo[node] = memo[arm]
            stack.pop()
            continue
        missing = [arg for arg in node.args if arg not in memo]
        if missing:
            stack.extend(missing)
            continue
        stack.pop()
        memo[node] = rebuild(node, tuple([memo[arg] for arg in node.args]))
    return memo[literal], conditions


def eliminate_definitions(literals: list[Term], gone: frozenset[Term]) -> list[Term]:
    """Use equations ``local = term`` to substitute locals away, as long as there are any."""
    definitions: dict[Term, Term] = {}
    rest: list[Term] = []
    for literal in literals:
        local, value = _definition(literal, gone)
        if local is None or local in definitions:
            rest.append(literal)
        else:
            assert value is not None
            definitions[local] = value
    solved = _solve(definitions, rest)
    if not solved:
        return rest
    memo: dict[Term, Term] = {}
    result: dict[Term, None] = {}
    for literal in rest:
        for part in conjuncts(substitute(literal, solved, memo)):
            if part is not TRUE:
                result[part] = None
    return list(result)


def _definition(literal: Term, gone: frozenset[Term]) -> tuple[Term | None, Term | None]:
    if literal in gone:
        return literal, TRUE
    if literal.op == Op.NOT and literal.args[0] in gone:
        return literal.args[0], FALSE
    if literal.op == Op.EQ:
        left, right = literal.args
        # The younger variable is usually the one being defined: ids grow with the SSA.
        for local, value in sorted(((left, right), (right, left)), key=lambda pair: -pair[0].id):
            if local in gone and local not in free_vars(value):
                return local, value
    return None, None


def _solve(definitions: dict[Term, Term], rest: list[Term]) -> dict[Term, Term]:
    """Definitions in terms of what is not defined; an equation ``x = f(x)`` goes to ``rest``."""
    solved: dict[Term, Term] = {}
    open_: set[Term] = set()
    closed: set[Term] = set()
    for root in definitions:
        stack = [root]
        while stack:
            local = stack[-1]
            if local in closed:
                stack.pop()
                continue
            used = free_vars(definitions[local])
            if local not in open_:
                open_.add(local)
                stack.extend(v for v in used if v in definitions and v not in closed and v not in open_)
                continue
            stack.pop()
            open_.discard(local)
            closed.add(local)
            value = substitute(definitions[local], {v: solved[v] for v in used if v in solved})
            if local in free_vars(value):
                rest.append(eq(local, value))
            else:
                solved[local] = value
    # A cycle that dissolved by simplification can leave a solved local inside another one.
    return {
        local: substitute(value, solved) if free_vars(value) & solved.keys() else value
        for local, value in solved.items()
    }
