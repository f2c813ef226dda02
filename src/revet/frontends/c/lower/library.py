"""Functions without a body that have a meaning: errors, assumptions, ends of the run, the C library.

Errors: ``__VERIFIER_error``, ``reach_error``, ``__assert_fail``, and ``assert``/``__VERIFIER_assert``
where they have no body. How any other function without a body is treated says
:func:`revet.frontends.c.library.classify`; most of the C library has a body by now (``libc.py``).
What is known and not modelled is unsupported.
"""

from __future__ import annotations

from collections.abc import Callable

from revet.errors import Unsupported
from revet.frontends.c import ast
from revet.frontends.c.checks import Check
from revet.frontends.c.libc import FORMATTED
from revet.frontends.c.library.classify import Standing, classify, library_name
from revet.frontends.c.library.conventions import (
    ANYHOW,
    ASSERTIONS,
    ASSUMPTIONS,
    ENDS,
    ERRORS,
    NOTHING,
    REQUIRE,
)
from revet.frontends.c.library.prototypes import DIVISIONS, fits_call, is_division
from revet.frontends.c.library.rounding import GET, SET
from revet.frontends.c.library.table import Treatment
from revet.frontends.c.library.uses import plain_name
from revet.frontends.c.lower import floating_library, remainders, rounding
from revet.frontends.c.lower.approximate_calls import approximated
from revet.frontends.c.lower.context import FITTING, UNREACHABLE, Context
from revet.frontends.c.lower.flow import Annotation
from revet.frontends.c.lower.formatting import may_store_counts, print_into, takes_list
from revet.frontends.c.lower.jumps import Jumps
from revet.frontends.c.lower.leaks import check_leaks
from revet.frontends.c.lower.places import Place
from revet.frontends.c.reader import argument_lists, jumps
from revet.frontends.c.types import Int, Pointer, Record, Void
from revet.logic.terms import Term

SILENT = ("free", *NOTHING)
FIRST = ("__builtin_expect", "__builtin_expect_with_probability")
CLAIM = "__revet_invariant_"  # what witness/annotate.py puts into the text


class Library:
    def __init__(self, context: Context) -> None:
        self.context = context
        self._handlers: dict[str, Callable[[str, ast.Call, bool], Term | None]] = {}
        self._errors = frozenset(context.options.errors)
        self._standings: dict[str, Standing] = {}
        self.jumps = Jumps(context)
        for names, handler in (
            ((*ERRORS, *context.options.errors), self._error),
            (ASSERTIONS, self._assert), (ASSUMPTIONS, self._assume),
            (ENDS, self._end), (SILENT, self._quiet),
            (FORMATTED, self._formatted), ((REQUIRE,), self._required),
            (floating_library.NAMES, self._float), ((SET, GET), self._rounding), (FIRST, self._first),
            ((jumps.SET,), self.jumps.set), ((jumps.MARK,), self.jumps.mark),
            ((jumps.LEAVE,), self.jumps.leave),
        ):
            self._handlers.update(dict.fromkeys(names, handler))
        if context.objects is not None:
            self._handlers["free"] = self._free

    def standing(self, name: str) -> Standing:
        """How a function without a body is treated."""
        found = self._standings.get(name)
        if found is None:
            program = self.context.program
            plain = plain_name(name)
            found = classify(plain, program.declared.get(plain), program.data_model, program.system)
            self._standings[name] = found
        return found

    def knows(self, name: str, definition: ast.FunctionDef | None) -> bool:
        """Is the name handled here? A body in the program comes first, except for those whose call the
        property is about."""
        if name.startswith(CLAIM):
            return True
        if definition is not None:
            return name in self._errors and Check.ASSERTION in self.context.checks
        if name in self._handlers or name in self.context.heap.handlers:
            return True
        standing = self.standing(name)
        return standing.row is not None or standing.refused

    def call(self, name: str, node: ast.Call, wanted: bool) -> Term | None:
        if name.startswith(CLAIM):
            return self._claim(name, node)
        if name == argument_lists.START and not node.arguments:
            return self.context.calls.lists.start(node)
        if name in ANYHOW or name in self._errors:
            return self._handlers[name](name, node, wanted)
        standing = self.standing(name)
        if standing.row is not None:
            if standing.refused:
                return approximated(self.context, node, standing.row, self._refusal(name, node, standing))
            types = [argument.type for argument in node.arguments]
            if not fits_call(standing.row.prototype, node.type, types, self.context.model):
                what = f"a call of {plain_name(name)} unlike {standing.row.prototype}"
                raise self.context.unsupported(node.at, what)
        return self._modelled(name, node, wanted, standing)

    def _modelled(self, name: str, node: ast.Call, wanted: bool, standing: Standing) -> Term | None:
        for spelling in (name, library_name(name)):
            handler = self._handlers.get(spelling)
            if handler is not None:
                return handler(spelling, node, wanted)
            if spelling in self.context.heap.handlers:
                return self.context.heap.handlers[spelling](node)
        if library_name(name).removesuffix("f") in floating_library.COMPUTED:
            return self._computed(name, node)
        match standing.treatment:
            case Treatment.QUIET if isinstance(node.type, Void):
                return self._quiet(name, node, wanted)
            case Treatment.PRINT:
                return self._print(name, node, wanted)
        raise self._refusal(name, node, standing)

    def record(self, name: str, node: ast.Call) -> Place:
        """A call that returns a record: where the record stands afterwards."""
        standing = self.standing(name)
        if name not in DIVISIONS or standing.refused or standing.row is None or not is_division(node):
            raise self._refusal(name, node, standing)
        context = self.context
        place = context.places.of_variable(context.calls.spill_variable(node, node.type))
        values = context.expressions.sequence(node.arguments)
        type = node.arguments[0].type
        assert isinstance(type, Int) and isinstance(node.type, Record)
        left, right = (context.expressions.save((node, n), value, type) for n, value in enumerate(values))
        for field in node.type.fields:
            op = "/" if field.name == "quot" else "%"
            part = context.arithmetic.binary(op, type, left, right, context.requires(node.at))
            context.places.store(context.places.member(place, field), part)
        return place

    def _refusal(self, name: str, node: ast.Call, standing: Standing) -> Unsupported:
        reason = f": {standing.reason}" if standing.reason else ""
        name = plain_name(name)
        return self.context.unsupported(node.at, f"the library function {name} is not modelled{reason}")

    # ---- properties -------------------------------------------------------------------------

    def _error(self, name: str, node: ast.Call, wanted: bool) -> Term | None:
        """``__assert_fail("x > 0", …)`` is what the macro ``assert`` becomes."""
        context = self.context
        kind = "assert" if "assert" in name else name
        if Check.ASSERTION in context.checks:
            context.flow.jump(context.error(Check.ASSERTION, node.at, kind))
        else:
            context.statements.dead_end()
        return context.expressions.zero(context.model.int) if wanted else None

    def _assert(self, name: str, node: ast.Call, wanted: bool) -> Term | None:
        context = self.context
        holds, fails = (context.flow.split(context.function) for _ in range(2))
        context.expressions.branch(self._condition(name, node), holds, fails)
        context.flow.resume(fails)
        if Check.ASSERTION in context.checks:
            context.flow.jump(context.error(Check.ASSERTION, node.at))
        context.flow.resume(holds)
        return context.expressions.zero(context.model.int) if wanted else None

    def _assume(self, name: str, node: ast.Call, wanted: bool) -> Term | None:
        context = self.context
        context.flow.assume(context.expressions.truth(self._condition(name, node)))
        return context.expressions.zero(context.model.int) if wanted else None

    def _required(self, name: str, node: ast.Call, wanted: bool) -> Term | None:
        """What a library function needs beyond what its model does."""
        context = self.context
        context.require(context.expressions.truth(node.arguments[0]), Check.LIBRARY, node.at)
        return context.expressions.zero(context.model.int) if wanted else None

    def _condition(self, name: str, node: ast.Call) -> ast.Expr:
        if not node.arguments:
            raise self.context.unsupported(node.at, f"{name} is called without a condition")
        return node.arguments[0]

    def _free(self, name: str, node: ast.Call, wanted: bool) -> Term | None:
        context = self.context
        assert context.objects is not None
        if len(node.arguments) != 1:
            raise context.unsupported(node.at, "free without its argument")
        pointer = context.expressions.saved(node.arguments[0])
        context.objects.free(node.arguments[0], pointer, node.at)
        return context.expressions.zero(context.model.int) if wanted else None

    def _end(self, name: str, node: ast.Call, wanted: bool) -> Term | None:
        self.evaluate(node)
        if name == "exit":
            check_leaks(self.context, node.at)
        if name == "__builtin_unreachable":  # undefined, if it is reached
            self.context.assumption(UNREACHABLE, node.at)
        self.context.statements.dead_end()
        return self.context.expressions.zero(self.context.model.int) if wanted else None

    def _claim(self, name: str, node: ast.Call) -> Term:
        """A witness's invariant: remembered as a formula, no part of the program. What evaluating
        it would require is dropped: the checker decides whether the formula is an invariant."""
        context = self.context
        if len(node.arguments) != 1 or context.effects(node.arguments[0]):
            raise context.unsupported(node.at, "an invariant must be an expression without side effects")
        here = context.flow.settle()
        formula = context.expressions.truth(node.arguments[0])
        context.flow.drop_pending()
        context.flow.annotations.append(Annotation(int(name.removeprefix(CLAIM)), here, formula))
        return context.expressions.zero(context.model.int)

    # ---- the C library ----------------------------------------------------------------------

    def evaluate(self, node: ast.Call) -> None:
        """The arguments, for their effects and for what may go wrong in them."""
        context = self.context
        for argument in node.arguments:
            self._note_pointer(argument)
            if isinstance(argument.type, Record) or not context.undefined_checked:
                if context.effects(argument):
                    context.expressions.effect(argument)
            else:
                context.expressions.value(argument)

    def _note_pointer(self, argument: ast.Expr) -> None:
        """What is done with a pointer inside is not looked at; a literal is there."""
        inner = argument
        while isinstance(inner, ast.Cast | ast.Decay):
            inner = inner.operand if isinstance(inner, ast.Cast) else inner.array
        literal = isinstance(inner, ast.StringConst | ast.IntConst)
        looks = not self.context.checks.isdisjoint((Check.POINTER, Check.LIBRARY))
        if looks and isinstance(argument.type, Pointer) and not literal:
            self.context.assumption("functions without a body get pointers that they may use", argument.at)

    def _quiet(self, name: str, node: ast.Call, wanted: bool) -> Term | None:
        """No effect but that of evaluating the arguments."""
        self.evaluate(node)
        return self.context.expressions.zero(self.context.model.int) if wanted else None

    def _print(self, name: str, node: ast.Call, wanted: bool) -> Term | None:
        """Output goes where nobody looks. How much is written is known to the interpreter only."""
        context = self.context
        if "printf" in name and may_store_counts(name, node):
            what = f"{plain_name(name)} with %n, or with pointers and an unknown format"
            raise context.unsupported(node.at, what)
        self.evaluate(node)
        if takes_list(name):
            context.assumption(FITTING, node.at)
        if not wanted:
            return None
        context.assumption("writing to a stream succeeds", node.at)
        value = context.temporary(node, name, node.type)
        context.flow.havoc(value)
        context.assume_range(node.type, value)
        context.flow.assume(context.arithmetic.compare(
            "<=", context.model.int, context.expressions.zero(context.model.int), value
        ))
        return value

    def _formatted(self, name: str, node: ast.Call, wanted: bool) -> Term | None:
        return print_into(self.context, name, node)

    def _computed(self, name: str, node: ast.Call) -> Term:
        values = self.context.expressions.sequence(node.arguments)
        return remainders.computed(self.context, library_name(name).removesuffix("f"), values, node)

    def _rounding(self, name: str, node: ast.Call, wanted: bool) -> Term | None:
        """``fesetround`` and ``fegetround``."""
        if name == GET:
            return rounding.current(self.context, node)
        argument = self.context.expressions.saved(node.arguments[0])
        return rounding.change(self.context, node, argument)

    def _first(self, name: str, node: ast.Call, wanted: bool) -> Term | None:
        values = self.context.expressions.sequence(node.arguments)
        return values[0]

    def _float(self, name: str, node: ast.Call, wanted: bool) -> Term | None:
        values = self.context.expressions.sequence(node.arguments)
        return floating_library.call(self.context, name, node, values)
