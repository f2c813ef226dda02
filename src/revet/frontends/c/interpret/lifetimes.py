"""When the variables of a block end: a pointer to one of them leads nowhere once the block is left.

Blocks are left in many ways (``break``, ``goto``, the end of a loop's turn), so variables are ended where a
run may arrive afterwards: behind a block or branch, at the two ends of a loop, at a label that is not in
the block. Only variables whose address is taken matter: nobody else can tell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.frontends.c import ast
from revet.frontends.c.walk import all_expressions, statements

if TYPE_CHECKING:
    from revet.frontends.c.interpret.machine import Instruction, Machine


class Lifetimes:
    """The variables of one function whose address is taken, and the statements in which they live."""

    def __init__(self, body: ast.Block) -> None:
        taken = {
            variable for expression in all_expressions(body)
            if (variable := _addressed(expression)) is not None and not variable.lives_forever
        }
        # Those of the function's outermost block live until it returns.
        self._taken = taken - _declared(*body.body)
        self._known: dict[ast.Stmt, tuple[ast.Variable, ...]] = {}
        self._labels: dict[ast.Label, tuple[ast.Variable, ...]] = {}
        if self._taken:
            self._find_labels(body)

    def inside(self, *parts: ast.Stmt | None) -> tuple[ast.Variable, ...]:
        """Those that are declared in these statements."""
        if not self._taken:
            return ()
        return tuple(found for part in parts if part is not None for found in self._inside(part))

    def _inside(self, statement: ast.Stmt) -> tuple[ast.Variable, ...]:
        found = self._known.get(statement)
        if found is None:
            declared = {one.variable: None for one in statements(statement) if isinstance(one, ast.Declare)}
            for expression in all_expressions(statement):
                if isinstance(expression, ast.CompoundLiteral):
                    declared[expression.variable] = None
                elif isinstance(expression, ast.StatementExpr):
                    declared.update(dict.fromkeys(self._inside(expression.body)))
            found = self._known[statement] = tuple(one for one in declared if one in self._taken)
        return found

    def elsewhere(self, label: ast.Label) -> tuple[ast.Variable, ...]:
        """Those that do not live at a label."""
        return self._labels.get(label, ())

    def _find_labels(self, body: ast.Block) -> None:
        everything = self._inside(body)
        work: list[tuple[ast.Stmt, frozenset[ast.Variable]]] = [(body, frozenset())]
        while work:
            root, alive = work.pop()
            for statement, around in _with_scope(root, alive):
                if isinstance(statement, ast.Label):
                    self._labels[statement] = tuple(one for one in everything if one not in around)
                work += [(inner, around) for inner in _embedded(statement)]


def _with_scope(
    root: ast.Stmt, alive: frozenset[ast.Variable]
) -> list[tuple[ast.Stmt, frozenset[ast.Variable]]]:
    """All statements below ``root``, each with the variables declared in the blocks around it."""
    found = []
    work = [(root, alive)]
    while work:
        statement, around = work.pop()
        found.append((statement, around))
        if isinstance(statement, ast.Block):
            around |= _declared(*statement.body)
            work += [(inner, around) for inner in statement.body]
        elif isinstance(statement, ast.For) and statement.start is not None:
            work.append((statement.body, around | _declared(statement.start)))
        else:
            work += [(inner, around) for inner in _direct(statement)]
    return found


def is_list(statement: ast.Stmt) -> bool:
    """Several declarations in one statement (``int a, b;``): not a block of their own."""
    return isinstance(statement, ast.Block) and all(isinstance(one, ast.Declare) for one in statement.body)


def _declared(*parts: ast.Stmt) -> frozenset[ast.Variable]:
    """The variables (and unnamed objects) that these statements declare for those that follow."""
    found: set[ast.Variable] = set()
    for part in parts:
        while isinstance(part, ast.Label | ast.Case):
            part = part.body
        for one in part.body if isinstance(part, ast.Block) and is_list(part) else (part,):
            if isinstance(one, ast.Declare):
                found.add(one.variable)
            if isinstance(one, ast.Declare | ast.Evaluate):
                literals = (each for each in all_expressions(one) if isinstance(each, ast.CompoundLiteral))
                found.update(literal.variable for literal in literals)
    return frozenset(found)


def _direct(statement: ast.Stmt) -> list[ast.Stmt]:
    match statement:
        case ast.If(_, then, otherwise):
            return [then] if otherwise is None else [then, otherwise]
        case ast.While(body=body) | ast.DoWhile(body=body) | ast.For(body=body) | ast.Switch(body=body):
            return [body]
        case ast.Case(body=body) | ast.Label(body=body):
            return [body]
    return []


def _embedded(statement: ast.Stmt) -> list[ast.Stmt]:
    """The bodies of statement expressions that stand directly in a statement."""
    if isinstance(statement, ast.Block) or _direct(statement):
        return []
    return [one.body for one in all_expressions(statement) if isinstance(one, ast.StatementExpr)]


def _addressed(e: ast.Expr) -> ast.Variable | None:
    """The variable whose address an expression takes."""
    match e:
        case ast.AddressOf(operand) | ast.Decay(operand):
            while isinstance(operand, ast.Member | ast.Index):
                operand = operand.record if isinstance(operand, ast.Member) else operand.array
            if isinstance(operand, ast.VarRef | ast.CompoundLiteral):
                return operand.variable
    return None


def end(slots: tuple[int, ...]) -> Instruction:
    """The variables in these slots are no more."""

    def run(m: Machine) -> None:
        for slot in slots:
            target = m.frame.slots[slot]
            if target is not None:
                m.frame.slots[slot] = None
                m.frame.objects.remove(target)
                m.memory.release(target)

    return run
