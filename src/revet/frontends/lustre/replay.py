"""Counterexamples of a Lustre program: confirmed by the interpreter, shown as tables of streams."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from revet.frontends.lustre.interpret import Machine, Number, Path, free_zero, zero
from revet.frontends.lustre.syntax import Expr, Name
from revet.frontends.lustre.translate import Translator
from revet.frontends.lustre.types import Type
from revet.frontends.program import ReplayFailed
from revet.frontends.source_run import StreamTable
from revet.logic.semantics import to_signed
from revet.logic.values import Value
from revet.result.trace import SystemTrace, Trace


class Replay:
    def __init__(self, translator: Translator) -> None:
        self.translator = translator
        self.typing = translator.typing
        self.main = translator.main.node

    def confirm(self, trace: Trace) -> list[str]:
        """Run the interpreter on the trace's inputs; the property must be false at the end."""
        assert isinstance(trace, SystemTrace)
        rows, held, owed = self._run(trace)
        if not held:
            raise ReplayFailed("an assertion of the program is false on the way")
        name = self._property(trace.violated)
        instance, clause = self.translator.obligations[name]
        if instance is self.translator.main:
            value = rows[-1][f"property {name}"] if rows else True
        else:
            value = owed.get((instance.calls, clause.formula), True)
        if value is not False:
            raise ReplayFailed(f"property {name} holds at the last instant")
        return [f"{len(rows)} instants run by the Lustre interpreter: property {name} is false at the last"]

    def _property(self, violated: str) -> str:
        if violated not in self.translator.obligations:
            raise ReplayFailed(f"the program has no property {violated}")
        return violated

    def _run(
        self, trace: SystemTrace
    ) -> tuple[list[dict[str, Number]], bool, dict[tuple[Path, Expr], Number]]:
        start = trace.states[0]
        initial = {
            (instance.calls, argument.name if isinstance(argument, Name) else argument): memories
            for (instance, argument), memories in self.translator.memories.items()
        }

        def undefined(path: Path, expr: Expr, position: int, type_: Type) -> Number:
            memories = initial.get((path, expr.name if isinstance(expr, Name) else expr))
            if memories is None or memories[position] not in start:
                return zero(path, expr, position, type_)
            return source_value(start[memories[position]], type_)

        outputs = {
            (instance.calls, name): variable for (instance, name), variable in self.translator.free.items()
        }

        def free(path: Path, name: str, instant: int, type_: Type) -> Number:
            variable = outputs.get((path, name))
            drawn = trace.inputs[instant]
            if variable is None or variable not in drawn:
                return free_zero(path, name, instant, type_)
            return source_value(drawn[variable], type_)

        machine = Machine(self.typing, self.main, undefined, free)
        types = self.typing.variables[self.main]
        rows, held = [], True
        for drawn in trace.inputs:
            inputs = {
                name: source_value(drawn[variable], types[name])
                for name, variable in self.translator.inputs.items()
            }
            rows.append(machine.step(inputs))
            held = held and machine.asserts_hold()
        return rows, held, machine.owed

    def streams(self, trace: Trace) -> StreamTable:
        """The streams of the main node as data, for reports."""
        assert isinstance(trace, SystemTrace)
        rows, _, _ = self._run(trace)
        types = self.typing.variables[self.main]
        groups = (
            ("inputs", self.main.inputs), ("outputs", self.main.outputs), ("locals", self.main.locals),
        )

        def stream(name: str) -> tuple[str, tuple[str, ...]]:
            return name, tuple(show(row[name], types[name]) for row in rows)

        return StreamTable(
            tuple((title, tuple(stream(d.name) for d in names)) for title, names in groups if names),
            f"property {trace.violated} is false at instant {len(rows) - 1}",
        )

    def render(self, trace: Trace) -> str:
        """A table of streams, one column an instant, like KIND 2's."""
        streams = self.streams(trace)
        blank = ("",) * streams.instants
        table: list[tuple[str, Sequence[str]]] = [("instant", [str(n) for n in range(streams.instants)])]
        for title, rows in streams.groups:
            table += [(f"== {title} ==", blank), *rows]
        width = max(len(name) for name, _ in table)
        columns = [max(len(cells[n]) for _, cells in table) for n in range(streams.instants)]
        lines = [f"counterexample: {streams.ending}"]
        for name, cells in table:
            shown = "  ".join(cell.rjust(columns[n]) for n, cell in enumerate(cells))
            lines.append(f"  {name:{width}}  {shown}".rstrip())
        return "\n".join(lines)


def source_value(value: Value, type_: Type) -> Number:
    """A model's value as the interpreter's."""
    assert isinstance(value, (bool, int, Fraction))
    if type_.width and type_.signed:
        return to_signed(int(value), type_.width)
    return value


def show(value: Number, type_: Type) -> str:
    if type_.names:
        return type_.names[int(value)]
    return str(value).lower() if isinstance(value, bool) else str(value)
