"""What a program makes of the result of a library function: nothing, its truth, its sign, or all of it.

``strcmp`` returns *some* number of the right sign and ``isalpha`` *some* number that is not zero. Where
a program asks for no more than that, calls are renamed to functions that return -1, 0 or 1
(``revet_sign_strcmp``, ``revet_truth_isalpha``), whose results are determined. Calls that print and
whose result is not used are renamed to ``revet_quiet_printf`` and the like.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from revet.frontends.c import ast
from revet.frontends.c.checks import Check
from revet.frontends.c.library.classify import classify
from revet.frontends.c.library.conventions import ABOUT_MEMORY
from revet.frontends.c.library.printed import printed
from revet.frontends.c.library.table import Treatment, rows
from revet.frontends.c.library.typed import specialised
from revet.frontends.c.types import Int, Void
from revet.frontends.c.walk import all_expressions, every_expression, expressions_of, statements

SIGN, TRUTH, QUIET, BUILTIN = "revet_sign_", "revet_truth_", "revet_quiet_", "revet_builtin_"
_PREFIXES = {Treatment.SIGN: SIGN, Treatment.TRUTH: TRUTH, Treatment.PRINT: QUIET}
_EQUAL = ("==", "!=")
_ORDER = ("==", "!=", "<", ">", "<=", ">=")


def plain_name(name: str) -> str:
    """The name that the program has: ``revet_sign_strcmp`` is ``strcmp``."""
    if name.startswith(BUILTIN):
        return "__builtin_" + name.removeprefix(BUILTIN)
    for prefix in (SIGN, TRUTH, QUIET):
        if name.startswith(prefix):
            return name.removeprefix(prefix)
    return name


def asks_for_values(program: ast.CProgram, errors: Collection[str]) -> bool:
    """Is a function mentioned whose result comes from outside the program?"""
    open_ones = _mentioned(program).difference(program.functions, errors, ABOUT_MEMORY)
    return any(
        classify(plain, program.declared.get(plain), program.data_model, program.system).treatment
        is Treatment.INPUT
        for plain in map(plain_name, open_ones)
    )


def mentions(program: ast.CProgram, names: Collection[str]) -> bool:
    """Does a function of the program mention one of these, which it does not define?"""
    return not _mentioned(program).difference(program.functions).isdisjoint(names)


def mentioned_functions(program: ast.CProgram) -> set[str]:
    """The functions that a run can come to, under the names that the program has for them."""
    found = every_expression(program)
    return {plain_name(one.name) for one in found if isinstance(one, ast.FunctionRef)}


def _mentioned(program: ast.CProgram) -> set[str]:
    return {
        expression.name
        for function in program.functions.values()
        for expression in all_expressions(function.body)
        if isinstance(expression, ast.FunctionRef)
    }


def sharpen(
    functions: Iterable[ast.FunctionDef], known: Collection[str], models: Collection[str],
    checks: frozenset[Check] = frozenset(),
) -> dict[str, str]:
    """Rename the calls in these functions, except of functions that are ``known``: the program's own.
    Builtins of the compiler (``__builtin_strlen``, ``__builtin_clz``) get the name of their model. The
    models that were written for the types of a call (``typed.py``) or for its format
    (``printed.py``), by name."""
    written: dict[str, str] = {}
    for function in functions:
        for statement in statements(function.body):
            _statement(statement, known)
        for expression in all_expressions(function.body):
            if isinstance(expression, ast.FunctionRef):
                _rename_builtin(expression, models)
            if isinstance(expression, ast.Call) and isinstance(expression.function, ast.FunctionRef):
                found = _written(expression, checks) if expression.function.name not in known else None
                if found is not None:
                    written[found[0]] = found[1]
                    object.__setattr__(expression.function, "name", found[0])
            if isinstance(expression, ast.StatementExpr):
                for statement in statements(expression.body):
                    _inner(expression, statement, known)
            _expression(expression, known)
    return written


def _written(call: ast.Call, checks: frozenset[Check]) -> tuple[str, str] | None:
    """A model of this call alone, with its name."""
    found = specialised(call)
    if found is None and not checks.isdisjoint((Check.POINTER, Check.LIBRARY, Check.UNINITIALISED)):
        found = printed(call, Check.LIBRARY in checks)
    return found


def _rename_builtin(reference: ast.FunctionRef, models: Collection[str]) -> None:
    plain = reference.name.removeprefix("__builtin_")
    for model in (plain, BUILTIN + plain) if plain != reference.name else ():
        if model in models:
            object.__setattr__(reference, "name", model)


def _statement(statement: ast.Stmt, known: Collection[str]) -> None:
    match statement:
        case ast.Evaluate(expression):
            _discarded(expression, known)
        case ast.For(_, condition, step):
            if condition is not None:
                _truth(condition, known)
            if step is not None:
                _discarded(step, known)
        case ast.If() | ast.While() | ast.DoWhile():
            _truth(expressions_of(statement)[0], known)


def _inner(owner: ast.StatementExpr, statement: ast.Stmt, known: Collection[str]) -> None:
    """Statements inside an expression; the value of the last one, if it has one, is the expression's."""
    if not isinstance(statement, ast.Evaluate) or statement is not owner.body.body[-1]:
        _statement(statement, known)


def _expression(expression: ast.Expr, known: Collection[str]) -> None:
    match expression:
        case ast.Unary("!", operand):
            _truth(operand, known)
        case ast.Logical(_, left, right):
            _truth(left, known)
            _truth(right, known)
        case ast.Conditional(condition, _, _):
            _truth(condition, known)
        case ast.Cast(operand, Int(boolean=True)):
            _truth(operand, known)
        case ast.Comma(first, _):
            _discarded(first, known)
        case ast.Binary(op, left, right) if op in _ORDER:
            for side, other in ((left, right), (right, left)):
                if isinstance(other, ast.IntConst) and other.value == 0:
                    both = (Treatment.SIGN, Treatment.TRUTH)
                    _rename(side, both if op in _EQUAL else both[:1], known)


def _truth(expression: ast.Expr, known: Collection[str]) -> None:
    _rename(expression, (Treatment.SIGN, Treatment.TRUTH), known)


def _discarded(expression: ast.Expr, known: Collection[str]) -> None:
    match expression:
        case ast.Cast(operand, Void()):
            _discarded(operand, known)
        case ast.Comma(_, second):
            _discarded(second, known)
        case ast.Conditional(_, then, otherwise):
            _discarded(then, known)
            _discarded(otherwise, known)
        case ast.Logical(_, _, right):
            _discarded(right, known)
        case _:
            _rename(expression, (Treatment.PRINT, Treatment.SIGN, Treatment.TRUTH), known)


def _rename(expression: ast.Expr, treatments: tuple[Treatment, ...], known: Collection[str]) -> None:
    if not isinstance(expression, ast.Call) or not isinstance(expression.function, ast.FunctionRef):
        return
    name = expression.function.name
    row = rows().get(name)
    if row is None or row.treatment not in treatments or name in known:
        return
    # The one place that changes a finished tree: nobody has seen it yet.
    object.__setattr__(expression.function, "name", _PREFIXES[row.treatment] + name)
