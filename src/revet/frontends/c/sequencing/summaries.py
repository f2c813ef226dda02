"""What calling a function may read and write, and whether it may end the run or break the property.

A summary is the union over all functions that the call may reach, without what only their own
activations have: local variables, and classes of objects that consist of such variables alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from revet.frontends.c import ast
from revet.frontends.c.analysis.call_graph import called, functions_with_address, reached_through
from revet.frontends.c.checks import Check
from revet.frontends.c.library.rounding import SET
from revet.frontends.c.property import ERROR_FUNCTIONS
from revet.frontends.c.sequencing.locations import Location, location_of
from revet.frontends.c.types import CType, Floating, Int, Pointer
from revet.frontends.c.walk import all_expressions, parts, statements

if TYPE_CHECKING:
    from collections.abc import Collection

    from revet.frontends.c.analysis.points_to import PointsTo

_LOADS = (ast.VarRef, ast.Deref, ast.Index, ast.Member)
_WRITES = (ast.Assign, ast.CompoundAssign, ast.Increment)
_ASSERTIONS = frozenset({"assert", "__VERIFIER_assert", *ERROR_FUNCTIONS})
_ENDS = frozenset({
    "abort", "exit", "_exit", "_Exit", "quick_exit", "__builtin_unreachable", "__builtin_trap", "longjmp",
    "siglongjmp", "__VERIFIER_assume", "assume_abort_if_not", "assume",
})


@dataclass(frozen=True, slots=True)
class Effects:
    """``ends``: the run may end (or not go on) inside; ``checks``: the property may break inside;
    ``clobbers``: it may change any memory (assembly), or how all is rounded."""

    reads: frozenset[Location] = frozenset()
    writes: frozenset[Location] = frozenset()
    ends: bool = False
    checks: bool = False
    clobbers: bool = False

    def __or__(self, other: Effects) -> Effects:
        return Effects(
            self.reads | other.reads, self.writes | other.writes, self.ends or other.ends,
            self.checks or other.checks, self.clobbers or other.clobbers,
        )

    def interfere(self, other: Effects) -> bool:
        """Can it make a difference which of the two comes first?"""
        if (self.ends and other.checks) or (self.checks and other.ends):
            return True
        return self.touch(other)

    def touch(self, other: Effects) -> bool:
        """May one of the two write what the other one reads or writes?"""
        return any(
            (first.clobbers and (second.clobbers or second.reads or second.writes)) or any(
                write.overlaps(touched)
                for write in first.writes
                for touched in (*second.reads, *second.writes)
            )
            for first, second in ((self, other), (other, self))
        )


class Summaries:
    """Answers what calls do; computed on demand and remembered."""

    def __init__(
        self, program: ast.CProgram, points_to: PointsTo, errors: Collection[str], checks: frozenset[Check]
    ) -> None:
        self.program = program
        self.points_to = points_to
        self._errors = _ASSERTIONS | frozenset(errors)
        self._checks = checks
        self._taken: list[str] | None = None
        self._called: dict[str, dict[str, None]] | None = None
        self._own: dict[str, Effects] = {}
        self._whole: dict[str, Effects] = {}

    def call(self, call: ast.Call) -> Effects:
        """What happens between the evaluation of the arguments and the call's return."""
        if isinstance(call.function, ast.FunctionRef):
            name = call.function.name
            if name in self._errors or name in _ENDS or name not in self.program.functions:
                return self._without_body(name, call)
            return self._function(name)
        if self._taken is None:
            self._taken = functions_with_address(self.program)
        found = Effects(ends=True)
        for name in reached_through(self.program, call, self._taken):
            found |= self._function(name)
        return found

    def _without_body(self, name: str, call: ast.Call) -> Effects:
        """It may read and write what its arguments point to."""
        if name.startswith("__VERIFIER_nondet"):
            return Effects()
        reached = frozenset(
            Location(None, self.points_to.target(argument), None, ())
            for argument in call.arguments if isinstance(argument.type, Pointer)
        )
        if name == SET:  # what others compute depends on it
            return Effects(clobbers=True)
        if name in self._errors:
            return Effects(reached, ends=name in ("assert", "__VERIFIER_assert"), checks=True)
        return Effects(reached, reached, ends=name in _ENDS)

    def _function(self, name: str) -> Effects:
        known = self._whole.get(name)
        if known is None:
            known = self._whole[name] = self._reached_from(name)
        return known

    def _reached_from(self, name: str) -> Effects:
        if self._called is None:
            self._called = called(self.program)
        reached, stack, recursive = {name: None}, [name], False
        while stack:
            for callee in self._called.get(stack.pop(), ()):
                recursive = recursive or callee == name
                if callee not in reached:
                    reached[callee] = None
                    stack.append(callee)
        found = Effects(ends=recursive)
        for function in reached:
            found |= self._direct(function)
        if recursive:
            return found

        def outlives(location: Location) -> bool:
            return not _dies_inside(location, reached)

        return Effects(
            frozenset(filter(outlives, found.reads)), frozenset(filter(outlives, found.writes)),
            found.ends, found.checks, found.clobbers,
        )

    def _direct(self, name: str) -> Effects:
        """Of the function's own statements; calls of functions with a body count as nothing."""
        known = self._own.get(name)
        if known is not None:
            return known
        body = self.program.functions[name].body
        found = self.below(list(all_expressions(body)))
        loops = any(isinstance(s, ast.While | ast.DoWhile | ast.For | ast.Goto) for s in statements(body))
        found = Effects(
            _shared(found.reads, name), _shared(found.writes, name), found.ends or loops, found.checks,
            found.clobbers or _clobbers(body),
        )
        self._own[name] = found
        return found

    def below(self, expressions: list[ast.Expr]) -> Effects:
        """Of all these expressions, each for itself; calls of functions with a body count as nothing."""
        reads: set[Location] = set()
        writes: set[Location] = set()
        rest = Effects()
        for e in expressions:
            if isinstance(e, _LOADS):
                _add(reads, location_of(e, self.points_to))
            elif isinstance(e, _WRITES):
                _add(writes, location_of(e.target, self.points_to))
            elif isinstance(e, ast.Call) and isinstance(e.function, ast.FunctionRef):
                name = e.function.name
                if name in self._errors or name in _ENDS or name not in self.program.functions:
                    rest |= self._without_body(name, e)
            elif isinstance(e, ast.Call):
                rest |= Effects(ends=True)
            elif isinstance(e, ast.StatementExpr) and _clobbers(e.body):
                rest |= Effects(clobbers=True)
            if may_fail(e, self._checks):
                rest |= Effects(checks=True)
        return rest | Effects(frozenset(reads), frozenset(writes))


def _clobbers(body: ast.Stmt) -> bool:
    return any(isinstance(statement, ast.Asm) and statement.memory for statement in statements(body))


_ACCESS = (Check.POINTER, Check.LIBRARY, Check.UNINITIALISED, Check.ALIGNMENT)


def may_fail(e: ast.Expr, checks: frozenset[Check]) -> bool:
    """May the node itself, without what is below it, break one of these checks?"""
    match e:
        case ast.CompoundAssign(op, _, _):
            return _arithmetic(op, e.computation, checks)
        case ast.Binary(op):
            return _arithmetic(op, e.type, checks)
        case ast.Unary() | ast.Increment():
            return _arithmetic("-", e.type, checks)
        case ast.Cast(operand, type):
            return Check.CONVERSION in checks and isinstance(operand.type, Floating) and isinstance(type, Int)
        case ast.Index(array):
            named = not checks.isdisjoint((Check.INDEX, Check.PART)) and not isinstance(e.index, ast.IntConst)
            return named or may_fail(array, checks)
        case ast.Member(record):
            return may_fail(record, checks)
        case ast.Deref():
            return not checks.isdisjoint(_ACCESS)
        case ast.VarRef(variable):
            return Check.UNINITIALISED in checks and not variable.lives_forever
    return False


def _arithmetic(op: str, type: CType, checks: frozenset[Check]) -> bool:
    if not isinstance(type, Int):
        return False
    if op in ("/", "%") and Check.DIVISION in checks:
        return True
    if op in ("<<", ">>") and Check.SHIFT in checks:
        return True
    return type.signed and not checks.isdisjoint((Check.OVERFLOW, Check.SHIFT_VALUE))


def subexpressions(root: ast.Expr) -> list[ast.Expr]:
    """The expression and all below it, those in statement expressions included."""
    found: list[ast.Expr] = []
    stack = [root]
    while stack:
        e = stack.pop()
        found.append(e)
        if isinstance(e, ast.StatementExpr):
            found += all_expressions(e.body)
        stack += parts(e)
    return found


def _add(found: set[Location], location: Location | None) -> None:
    if location is not None:
        found.add(location)


def _shared(locations: frozenset[Location], function: str) -> frozenset[Location]:
    """Without the function's own variables, which exist for one activation."""

    def own(x: Location) -> bool:
        return x.variable is not None and not x.variable.lives_forever and x.variable.function == function

    return frozenset(x for x in locations if not own(x))


def _dies_inside(location: Location, functions: Collection[str]) -> bool:
    """Are all objects that this may be local variables of these functions (none of them recursive)?"""
    node = location.objects
    if location.variable is not None or node is None:
        return False
    if node.blocks or node.strings or node.unknown or not node.variables:
        return False
    return all(not v.lives_forever and v.function in functions for v in node.variables)
