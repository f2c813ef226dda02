"""Calls: inlining, bounded recursion, function pointers, and values from outside.

A call of a function with a body becomes a copy of the body's control flow between the call and the
location behind it. Functions that verification benchmarks and the C library give a meaning to
are in ``library.py``. Any other function without a body is the user's own: it returns any value of its
type and changes nothing, and the answer lists that assumption.
"""

from __future__ import annotations

from revet.frontends.c import ast
from revet.frontends.c.analysis.calling import fits, passed_types
from revet.frontends.c.libc import FILE as LIBRARY_FILE
from revet.frontends.c.library.conventions import VALUE
from revet.frontends.c.library.rounding import UNKNOWN_VALUES
from revet.frontends.c.lower.argument_lists import ArgumentLists
from revet.frontends.c.lower.context import FITTING, Context, Frame
from revet.frontends.c.lower.flow import Input
from revet.frontends.c.lower.formatting import takes_list
from revet.frontends.c.lower.library import Library
from revet.frontends.c.lower.places import Part, Place
from revet.frontends.c.lower.pointer_calls import Argument, PointerCalls
from revet.frontends.c.types import CType, Function, Pointer, Record, Void, is_scalar
from revet.logic import build as b
from revet.logic.terms import Op, Term
from revet.model.cfa import Location
from revet.model.procedures import Call


class Calls:
    def __init__(self, context: Context) -> None:
        self.context = context
        self.library = Library(context)
        self.pointers = PointerCalls(context, self)
        self.lists = ArgumentLists(context)
        self._results: dict[str, ast.Variable] = {}
        self._spills: dict[object, ast.Variable] = {}
        self._shared: dict[str, tuple[Location, Location]] = {}  # entry and exit
        self._callers: dict[str, int] = {}
        self.recorded: list[tuple[str, Call]] | None = None  # see procedures.py

    # ---- entry points -----------------------------------------------------------------------

    def call(self, node: ast.Call, wanted: bool) -> Term | None:
        """Emit a call; its scalar value if it has one."""
        if isinstance(node.type, Record):
            self.record(node)
            return None
        if isinstance(node.function, ast.FunctionRef):
            name = node.function.name
            if self.library.knows(name, self.context.program.functions.get(name)):
                return self.library.call(name, node, wanted)
            function = self.context.program.functions.get(name)
            if function is None:
                return self._external(node, name, wanted)
            if not self._fits(function, node):
                return self.context.expressions.zero(node.type) if wanted else None
            place = self.inline(function, self.arguments(node), node)
            if name in self.context.program.noreturn:  # it must not come back; if it does, nobody knows
                what = f"return of {name}(), which is declared not to return, at {node.at}"
                self.context.flow.jump(self.context.open_end(what, node.at))
            return self.converted(place, node) if wanted and place is not None else None
        place = self.pointers.call(node)
        return self.context.places.load(place) if wanted and place is not None else None

    def record(self, node: ast.Call) -> Place:
        """A call that returns a record: where the record stands afterwards."""
        context = self.context
        if not isinstance(node.function, ast.FunctionRef):
            place = self.pointers.call(node)
        else:
            function = context.program.functions.get(node.function.name)
            if function is not None and not self._fits(function, node):
                place = context.places.of_variable(self.spill_variable(node, node.type))
            elif function is not None:
                place = self.inline(function, self.arguments(node), node)
            elif self.library.knows(node.function.name, None):
                place = self.library.record(node.function.name, node)
            else:
                self._evaluate_arguments(node)
                self.note_external(node.function.name, node)
                place = context.places.of_variable(self.spill_variable(node, node.type))
                context.places.havoc(place)
                if context.written is not None:
                    context.written.fill_place(place, True)
        assert place is not None
        return place

    def _fits(self, function: ast.FunctionDef, node: ast.Call) -> bool:
        """Is a function called as what it is? Else the model ends here."""
        if fits(function, passed_types(node), node.type):
            return True
        what = f"call of {function.name}() as if it were another function, at {node.at}"
        self.context.flow.jump(self.context.open_end(what, node.at))
        return False

    def converted(self, result: Place, node: ast.Call) -> Term:
        """A function's result in the type that its caller expects."""
        context = self.context
        return context.expressions.convert(context.places.load(result), result.type, node.type, node.at)

    def spill_variable(self, owner: object, type: CType) -> ast.Variable:
        """A variable of our own for a record value."""
        found = self._spills.get(owner)
        if found is None:
            position = self.context.frame.function.position
            name = f"$record{len(self._spills)}"
            found = ast.Variable(name, type, self.context.function, position, -1 - len(self._spills))
            self._spills[owner] = found
        return found

    # ---- arguments --------------------------------------------------------------------------

    def arguments(self, node: ast.Call) -> list[tuple[Argument, CType]]:
        """The arguments' values, safe from each other's side effects."""
        context = self.context
        effects = [n for n, argument in enumerate(node.arguments) if context.effects(argument)]
        last = effects[-1] if effects else -1
        found: list[tuple[Argument, CType]] = []
        for number, argument in enumerate(node.arguments):
            if isinstance(argument.type, Record):
                place = context.expressions.record(argument)
                if number < last:
                    spill = context.places.of_variable(self.spill_variable(argument, argument.type))
                    context.places.copy(spill, place)
                    place = spill
                found.append((place, argument.type))
            elif number < last:
                found.append((context.expressions.saved(argument), argument.type))
            else:
                found.append((context.expressions.value(argument), argument.type))
        return found

    def _evaluate_arguments(self, node: ast.Call) -> None:
        self.library.evaluate(node)

    def _bind(
        self, function: ast.FunctionDef, depth: int, arguments: list[tuple[Argument, CType]]
    ) -> dict[ast.Variable, Term]:
        """The parameters get their values. Those that are constants and stay so are returned: ``&x`` for a
        parameter that the function only reads makes ``p->member`` a variable, not a choice by address."""
        context = self.context
        at = function.position
        constants: dict[ast.Variable, Term] = {}
        for number, parameter in enumerate(function.parameters):
            place = context.places.of_variable(parameter, depth)
            if number >= len(arguments):
                context.places.havoc(place)  # too few arguments, without a prototype
                continue
            value, type = arguments[number]
            if isinstance(value, Term):
                value = context.expressions.convert(value, type, parameter.type, at)
                context.places.store(place, value)
                if value.op == Op.CONST and context.storage.only_read(parameter, function):
                    constants[parameter] = value
            else:
                context.places.copy(place, value)
            if context.objects is not None:
                context.objects.born(parameter, depth)
        return constants

    # ---- inlining ---------------------------------------------------------------------------

    def inline(
        self, function: ast.FunctionDef, arguments: list[tuple[Argument, CType]], node: ast.Call
    ) -> Place | None:
        context = self.context
        if function.position.file == LIBRARY_FILE and takes_list(function.name):
            context.assumption(FITTING, node.at)
        if self.recorded is not None and function.name in context.storage.limits:
            return self._record(function, arguments, node, self.recorded)
        depth = sum(1 for frame in context.frames if frame.function is function)
        if depth > 0 and depth >= context.storage.limits.get(function.name, 1):
            context.flow.jump(context.open_end(f"recursion-limit@{function.name}", node.at))
            return self.result(function, 0)
        outer = context.flow.span
        extra = self.lists.passed(function, arguments, node)
        constants = self._bind(function, depth, arguments)
        if function.name in context.storage.shared:
            return self._call_shared(function, node)
        context.flow.settle()
        frame = Frame(function, depth, context.flow.location(function.name, node.at, ":exit"), None, node.at)
        frame.result, frame.constants = self.result(function, depth), constants
        self.lists.enter(frame, extra)
        context.frames.append(frame)
        context.statements.lower(function.body)
        if frame.result is not None:
            context.places.havoc(frame.result)  # fell off the end: any value
        context.flow.start(frame.exit)
        if context.objects is not None:
            context.objects.returned(function, depth)
        context.frames.pop()
        if outer is not None:
            context.flow.enter(outer, context.function)
        return frame.result

    def _record(
        self, function: ast.FunctionDef, arguments: list[tuple[Argument, CType]], node: ast.Call,
        calls: list[tuple[str, Call]],
    ) -> Place | None:
        """A call of a recursive function as it is, for the model with procedures."""
        context = self.context
        values: list[Term] = []
        for number, parameter in enumerate(function.parameters):
            value, type = arguments[number] if number < len(arguments) else (None, parameter.type)
            if not is_scalar(parameter.type):
                raise context.unsupported(node.at, f"a recursive function with a parameter {parameter.type}")
            if isinstance(value, Term):
                values.append(context.expressions.convert(value, type, parameter.type, node.at))
            else:
                missing = context.temporary((node, number), "missing", parameter.type)
                context.flow.havoc(missing)
                context.assume_range(parameter.type, missing)
                values.append(missing)
        place: Place | None = None
        results: tuple[Term, ...] = ()
        if not isinstance(node.type, Void):
            variable = self.spill_variable((node, function.name), function.type.result)
            place = context.places.of_variable(variable)
            results = (context.places.load(place),)
        source = context.flow.settle()
        target = context.flow.location(context.function, node.at, ":return")
        calls.append((function.name, Call(source, target, function.name, tuple(values), results, node.at)))
        context.flow.resume(target)
        return place

    def _call_shared(self, function: ast.FunctionDef, node: ast.Call) -> Place | None:
        """Jump to the one copy of a function and come back to where its caller's number says."""
        context = self.context
        outer = context.flow.span
        number = self._callers[function.name] = self._callers.get(function.name, 0) + 1
        type = context.model.int
        caller = context.symbols.temporary(function, 0, function.name, "caller", type)
        mine = context.arithmetic.constant(type, number)
        after = context.flow.split(context.function)
        context.flow.assign(caller, mine)
        known = self._shared.get(function.name)
        if known is None:
            entry, exit_ = (
                context.flow.location(function.name, function.position, kind) for kind in (":entry", ":exit")
            )
            known = self._shared[function.name] = (entry, exit_)
            context.flow.jump(entry)
            self._lower_shared(function, entry, exit_)
        else:
            context.flow.jump(known[0])
        context.flow.resume(known[1])
        context.flow.assume(b.eq(caller, mine))
        context.flow.jump(after)
        context.flow.resume(after)
        if outer is not None:
            context.flow.enter(outer, context.function)
        return self.result(function, 0)

    def _lower_shared(self, function: ast.FunctionDef, entry: Location, exit_: Location) -> None:
        context = self.context
        frames = context.frames
        leave = exit_
        if context.objects is not None:
            leave = context.flow.location(function.name, function.position, ":leave")
        context.frames = [Frame(function, 0, leave, self.result(function, 0))]
        context.flow.resume(entry)
        context.statements.lower(function.body)
        result = context.frame.result
        if result is not None:
            context.places.havoc(result)
        context.flow.start(leave)
        if context.objects is not None:
            context.objects.returned(function, 0)
            context.flow.start(exit_)
        context.frames = frames

    def result(self, function: ast.FunctionDef, depth: int) -> Place | None:
        if isinstance(function.type.result, Void):
            return None
        variable = self._results.get(function.name)
        if variable is None:
            number = -1_000_000 - len(self._results)
            type = function.type.result
            variable = ast.Variable("return", type, function.name, function.position, number)
            self._results[function.name] = variable
        return self.context.places.of_variable(variable, depth)

    # ---- values from outside ----------------------------------------------------------------

    def note_external(self, name: str, node: ast.Call) -> None:
        if name in self.context.program.noreturn:
            self.context.assumption(f"{name}() has no body: it does not return", node.at)
        elif self.library.standing(name).own:
            self._may_call_back(name, node)
            what = "no effect" if isinstance(node.type, Void) else "any value, no other effect"
            self.context.assumption(f"{name}() has no body: {what}", node.at)

    def _may_call_back(self, name: str, node: ast.Call) -> None:
        """A function without a body may call the functions that it is given, which the model does not follow;
        SV-COMP's rules say that it does not."""
        context = self.context
        if context.options.callbacks == "any" and any(map(_is_function, node.arguments)):
            context.flow.may_jump(context.open_end(f"functions that {name}() may call", node.at))

    def _external(self, node: ast.Call, name: str, wanted: bool) -> Term | None:
        self._evaluate_arguments(node)
        self.note_external(name, node)
        if name in self.context.program.noreturn:
            self.context.statements.dead_end()
        if isinstance(node.type, Void):
            return None
        value = self.context.temporary(node, name, node.type)
        self.draw(value, node.type, name, node)
        return value

    def draw(self, variable: Term, type: CType, name: str, node: ast.Call) -> None:
        """``variable`` gets any value of ``type``; remembered as an input of the run."""
        context = self.context
        if context.rounds and name == VALUE:
            called = context.library_call
            raise context.unsupported(called[1] if called else node.at, UNKNOWN_VALUES)
        context.flow.havoc(variable)
        context.assume_range(type, variable)
        region = context.memory.region_of_value(node) if isinstance(type, Pointer) else None
        context.flow.draw(Input(name, variable, node.at, region=region))

    def _drawn_by(self, value: ast.Expr) -> ast.Call | None:
        """Is this a plain call of a function without body?"""
        if not isinstance(value, ast.Call) or not isinstance(value.function, ast.FunctionRef):
            return None
        if value in self.context.frame.known or self.context.evaluation.pending(value):
            return None
        name = value.function.name
        if name in self.context.program.functions or self.library.knows(name, None):
            return None
        if name in self.context.program.noreturn:
            return None
        return value if is_scalar(value.type) else None

    def draw_into(self, place: Place, value: ast.Expr) -> bool:
        """``x = nondet()`` without a temporary, where x is a variable of the automaton."""
        node = self._drawn_by(value)
        if node is None or not isinstance(place, Part) or place.index is not None or place.width is not None:
            return False
        if place.type != node.type:
            return False
        assert isinstance(node.function, ast.FunctionRef)
        self._evaluate_arguments(node)
        self.note_external(node.function.name, node)
        leaf = self.context.symbols.leaf(place.variable, place.depth, place.key, place.type)
        self.draw(leaf, place.type, node.function.name, node)
        if self.context.written is not None:
            self.context.written.store(place)
        return True

    def assign_input(self, node: ast.Assign) -> bool:
        if self._drawn_by(node.value) is None or self.context.effects(node.target):
            return False
        if not isinstance(node.target, ast.VarRef | ast.Member):
            return False
        return self.draw_into(self.context.places.place(node.target), node.value)


def _is_function(argument: ast.Expr) -> bool:
    return isinstance(argument.type, Pointer) and isinstance(argument.type.target, Function)
