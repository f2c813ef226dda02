"""Statements become control flow.

Loops have one head each, a location with the loop's position; ``switch`` is a chain of tests
into its body; labels are locations. Local variables get any value where they are declared, and where a
jump passes their declaration by.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from revet.frontends.c import ast
from revet.frontends.c.extents import extents_of
from revet.frontends.c.lower.bounds import check_length
from revet.frontends.c.lower.context import Context
from revet.frontends.c.lower.flow import Held, Input, Loop
from revet.frontends.c.lower.places import Cell, Part, Place
from revet.frontends.c.types import Array, Int, Record, Void, is_scalar
from revet.frontends.c.walk import cases_of
from revet.logic import build as b
from revet.logic.terms import FALSE, Term
from revet.model.cfa import Location

_Result = TypeVar("_Result")
_MOST_ELEMENTS = 256  # of an array in memory that get a fresh value each


class Statements:
    def __init__(self, context: Context) -> None:
        self.context = context
        self._cases: list[dict[ast.Case, Location]] = []
        self._begun: dict[str, dict[ast.Stmt, list[ast.Variable]]] = {}
        self._handlers: dict[type, Callable[[Any], None]] = {
            ast.Block: self._block, ast.Declare: self._declare, ast.Evaluate: self._evaluate,
            ast.If: self._if, ast.While: self._while, ast.DoWhile: self._do_while,
            ast.For: self._for, ast.Switch: self._switch, ast.Case: self._case,
            ast.Label: self._label, ast.Goto: self._goto, ast.Break: self._break,
            ast.Continue: self._continue, ast.Return: self._return,
            ast.Empty: lambda statement: None, ast.Asm: self._asm,
        }

    def lower(self, statement: ast.Stmt) -> None:
        if not isinstance(statement, ast.Block):
            self.context.flow.begin(statement, self.context.function, self.context.frame.depth)
        self._handlers[type(statement)](statement)

    def _location(self, statement: ast.Stmt, kind: str = "") -> Location:
        return self.context.flow.location(self.context.function, statement.span.start, kind)

    def _head(self, loop: ast.While | ast.DoWhile | ast.For) -> Location:
        head = self._location(loop, ":head")
        depth = self.context.frame.depth
        self.context.flow.loops[head] = Loop(
            self.context.function, loop.span.start, depth, isinstance(loop, ast.DoWhile)
        )
        return head

    # ---- straight line ----------------------------------------------------------------------

    def _block(self, statement: ast.Block) -> None:
        self._begin(statement)
        for inner in statement.body:
            self.lower(inner)
        self._left(statement)

    def born(self, variable: ast.Variable) -> None:
        """A variable begins to live."""
        if self.context.objects is not None:
            self.context.objects.born(variable, self.context.depth_of(variable))

    def _begin(self, statement: ast.Stmt) -> None:
        """Variables whose declarations may be passed by begin to live, with any value."""
        function = self.context.frame.function
        begun = self._begun.get(function.name)
        if begun is None:
            begun = self._begun[function.name] = extents_of(function).begun
        for variable in begun.get(statement, ()):
            place = self.context.places.of_variable(variable)
            self.born(variable)
            self._any_value(variable, place)
            self.remember(variable, place)

    def _left(self, statement: ast.Stmt) -> None:
        """A block ends, or is left by a jump."""
        if self.context.objects is not None:
            self.context.objects.left(statement)

    def _evaluate(self, statement: ast.Evaluate) -> None:
        self.context.expressions.effect(statement.expression)

    def _declare(self, statement: ast.Declare) -> None:
        variable = statement.variable
        place = self.context.places.of_variable(variable)
        if variable.length is not None and self.context.effects(variable.length):
            self.context.expressions.effect(variable.length)
        check_length(self.context, variable)
        self.born(variable)
        if variable.initialiser is None:
            self._any_value(variable, place)
            self.remember(variable, place)
        else:
            self.initialise(variable, place)

    def _any_value(self, variable: ast.Variable, place: Place) -> None:
        if isinstance(place, Cell) and isinstance(variable.type, Array):
            if self.context.memory.whole.havoc_object(variable, place):
                return
            if variable.type.count is None or variable.type.count > _MOST_ELEMENTS:
                if self.context.written is not None:
                    what = "uninitialised values of an array this large, or of variable length"
                    raise self.context.unsupported(variable.position, what)
                self.context.assumption(
                    f"{variable.name} holds what its memory held before, not any value", variable.position
                )
                return
        self.context.places.havoc(place)

    def remember(self, variable: ast.Variable, place: Place) -> None:
        """What an uninitialised variable holds is an input of the run, like a drawn value."""
        if isinstance(place, Cell):
            self._remember_memory(variable, place)
            return
        if self.context.places.is_whole(place):
            term = self.context.places.whole(place)
        elif is_scalar(place.type):
            term = self.context.symbols.leaf(variable, place.depth, (), place.type)
        else:
            for leaf, offset in self.context.memory.explicit.scalars(variable, place.depth):
                self.context.flow.draw(Input("", leaf, variable.position, variable, offset))
            return
        self.context.flow.draw(Input("", term, variable.position, variable))

    def _remember_memory(self, variable: ast.Variable, place: Cell) -> None:
        memory = self.context.memory
        depth = self.context.depth_of(variable)
        if memory.whole.has_array(place):
            self.context.flow.draw(Held(place.address, place.region, variable.position, variable))
        else:
            for leaf, offset in memory.explicit.scalars(variable, depth):
                self.context.flow.draw(Input("", leaf, variable.position, variable, offset))

    def initialise(self, variable: ast.Variable, place: Place) -> None:
        initialiser = variable.initialiser
        assert initialiser is not None
        context = self.context
        if initialiser.whole:
            self._initial_value(variable, place, initialiser.entries[0].value)
            return
        context.places.zero(place)
        for entry in initialiser.entries:
            target = place
            for step in entry.path:
                target = context.places.step(target, step)
            self._initial_value(variable, target, entry.value)

    def _initial_value(self, variable: ast.Variable, place: Place, value: ast.Expr) -> None:
        context = self.context
        if isinstance(place.type, Array) and isinstance(value, ast.StringConst):
            for number, element in enumerate(value.data[: place.type.count]):
                target = context.places.step(place, number)
                assert isinstance(target.type, Int)
                context.places.store(target, context.arithmetic.constant(target.type, element))
        elif isinstance(place.type, Record):
            context.places.copy(place, context.expressions.record(value))
        elif not context.calls.draw_into(place, value):
            context.places.store(place, context.expressions.value(value))

    def statement_expression(self, body: ast.Block, node: ast.StatementExpr | None) -> Term | None:
        """``({ …; e; })``: the value of ``e``, if there is one and it is wanted."""
        wanted = node is not None and not isinstance(node.type, Void)
        return self._expression_block(body, self.context.expressions.saved if wanted else None)

    def record_expression(self, node: ast.StatementExpr, place: Place) -> None:
        """``({ …; s; })``: the record ``s`` into a place that outlives the block."""
        context = self.context

        def copied(last: ast.Expr) -> bool:
            context.places.copy(place, context.expressions.record(last))
            return True

        if self._expression_block(node.body, copied) is None:
            raise context.unsupported(node.at, "this statement expression has no value")

    def _expression_block(
        self, body: ast.Block, result: Callable[[ast.Expr], _Result] | None
    ) -> _Result | None:
        """What ``result`` makes of the last expression, inside of the block."""
        context = self.context
        outer = context.flow.span
        *before, last = body.body or (ast.Empty(body.span),)
        for statement in before:
            self.lower(statement)
        found: _Result | None = None
        if result is not None and isinstance(last, ast.Evaluate):
            context.flow.begin(last, context.function, context.frame.depth)
            found = result(last.expression)
        else:
            self.lower(last)
        self._left(body)
        if outer is not None:
            context.flow.enter(outer, context.function)
        return found

    # ---- choice -----------------------------------------------------------------------------

    def _if(self, statement: ast.If) -> None:
        """Chains of else-if are followed in a loop."""
        flow = self.context.flow
        join = self._location(statement, ":end")
        current: ast.Stmt | None = statement
        while isinstance(current, ast.If):
            flow.enter(current.span, self.context.function)
            then = self._location(current.then)
            otherwise = self._location(current.otherwise or current, ":else")
            self.context.expressions.branch(current.condition, then, otherwise)
            flow.resume(then)
            self.lower(current.then)
            flow.jump(join)
            flow.resume(otherwise)
            current = current.otherwise
        if current is not None:
            self.lower(current)
        flow.start(join)

    def _switch(self, statement: ast.Switch) -> None:
        context = self.context
        type = statement.value.type
        assert isinstance(type, Int)
        value = context.expressions.saved(statement.value)
        end = self._location(statement, ":end")
        targets: dict[ast.Case, Location] = {}
        default = end
        tests: list[tuple[Term, Location]] = []
        for case in cases_of(statement):
            target = targets[case] = self._location(case)
            if case.low is None or case.high is None:
                default = target
            else:
                tests.append((self._matches(type, value, case.low, case.high), target))
        self._begin(statement)
        context.flow.settle()
        for test, target in tests:
            following = context.flow.split(context.function)
            context.flow.branch(test, target, following)
            context.flow.resume(following)
        context.flow.jump(default)
        self._cases.append(targets)
        context.frame.breaks.append(end)
        self.lower(statement.body)
        context.frame.breaks.pop()
        self._cases.pop()
        context.flow.start(end)

    def _matches(self, type: Int, value: Term, low: int, high: int) -> Term:
        arithmetic = self.context.arithmetic
        first, last = (arithmetic.constant(type, type.wrap(bound)) for bound in (low, high))
        if low == high:
            return b.eq(value, first)
        above = arithmetic.compare(">=", type, value, first)
        return b.and_(above, arithmetic.compare("<=", type, value, last))

    def _case(self, statement: ast.Case) -> None:
        current: ast.Stmt = statement
        while isinstance(current, ast.Case):
            self.context.flow.start(self._cases[-1][current])
            current = current.body
        self.lower(current)

    # ---- loops ------------------------------------------------------------------------------

    def _loop_body(self, body: ast.Stmt, end: Location, again: Location) -> None:
        frame = self.context.frame
        frame.breaks.append(end)
        frame.continues.append(again)
        self.lower(body)
        frame.continues.pop()
        frame.breaks.pop()

    def _while(self, statement: ast.While) -> None:
        flow = self.context.flow
        head, end = self._head(statement), self._location(statement, ":end")
        body = self._location(statement.body)
        flow.start(head)
        self.context.expressions.branch(statement.condition, body, end)
        flow.resume(body)
        self._loop_body(statement.body, end, head)
        flow.jump(head)
        flow.resume(end)

    def _do_while(self, statement: ast.DoWhile) -> None:
        flow = self.context.flow
        head, end = self._head(statement), self._location(statement, ":end")
        test = self._location(statement, ":test")
        flow.start(head)
        self._loop_body(statement.body, end, test)
        flow.start(test)
        flow.enter(statement.span, self.context.function)
        self.context.expressions.branch(statement.condition, head, end)
        flow.resume(end)

    def _for(self, statement: ast.For) -> None:
        flow = self.context.flow
        head, end = self._head(statement), self._location(statement, ":end")
        step, body = self._location(statement, ":step"), self._location(statement.body)
        if statement.start is not None:
            self.lower(statement.start)
            flow.enter(statement.span, self.context.function)
        flow.start(head)
        if statement.condition is not None:
            self.context.expressions.branch(statement.condition, body, end)
            flow.resume(body)
        self._loop_body(statement.body, end, step)
        flow.start(step)
        flow.enter(statement.span, self.context.function)
        if statement.step is not None:
            self.context.expressions.effect(statement.step)
        flow.jump(head)
        flow.resume(end)
        self._left(statement)

    # ---- jumps ------------------------------------------------------------------------------

    def _label(self, statement: ast.Label) -> None:
        self.context.flow.start(self._target(statement.name, statement))
        self.context.frame.passed[statement.name] = statement.body.span.start
        self.lower(statement.body)

    def _goto(self, statement: ast.Goto) -> None:
        context = self.context
        target, frame = self._target(statement.label, statement), context.frame
        at = frame.passed.get(statement.label)
        if at is not None:  # a jump back: the label is the head of a loop
            context.flow.loops.setdefault(target, Loop(context.function, at, frame.depth, label=True))
        self._left(statement)
        self._begin(statement)
        context.flow.jump(target)

    def _target(self, name: str, statement: ast.Stmt) -> Location:
        labels = self.context.frame.labels
        if name not in labels:
            labels[name] = self._location(statement, f":{name}")
        return labels[name]

    def _break(self, statement: ast.Break) -> None:
        self._left(statement)
        self.context.flow.jump(self.context.frame.breaks[-1])

    def _continue(self, statement: ast.Continue) -> None:
        self._left(statement)
        self.context.flow.jump(self.context.frame.continues[-1])

    def _return(self, statement: ast.Return) -> None:
        context = self.context
        frame = context.frame
        if statement.value is not None:
            if isinstance(statement.value.type, Void):
                context.expressions.effect(statement.value)
            elif frame.result is not None:
                self._return_value(frame.result, statement.value)
            else:
                context.expressions.effect(statement.value)
        context.flow.jump(frame.exit)

    def _return_value(self, place: Place, value: ast.Expr) -> None:
        context = self.context
        if isinstance(place.type, Record):
            context.places.copy(place, context.expressions.record(value))
        elif not (isinstance(place, Part) and context.calls.draw_into(place, value)):
            context.places.store(place, context.expressions.value(value))

    def _asm(self, statement: ast.Asm) -> None:
        """Its outputs are in the statements beside it: reader/assembly.py."""
        if statement.memory:
            self.context.memory.whole.havoc_all_numbers(statement.span.start)

    def dead_end(self) -> None:
        """The run ends here (``abort``, ``exit``)."""
        self.context.flow.assume(FALSE)
        self.context.flow.settle()


