"""A specification: what a monitor watches, reports and promises."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from revet.errors import Position
from revet.events import ignore
from revet.streams.aggregates import AnyStream, leaves
from revet.streams.core import Node
from revet.streams.flatten import Flat, flatten
from revet.streams.language import boolean
from revet.streams.places import caller, error
from revet.streams.stream import Stream
from revet.streams.types import Scalar, Type

if TYPE_CHECKING:
    from pathlib import Path

    from revet.events import Observer
    from revet.streams.c_code import CProgram
    from revet.streams.equations import AbstractProof, Graph
    from revet.streams.prove import Proof
    from revet.streams.table import Table
    from revet.streams.verify import CProof


@dataclass(frozen=True)
class Trigger:
    """When ``guard`` holds, the C function ``name`` is called with arguments of these ``types``, whose
    scalars are ``arguments``, one after the other."""

    name: str
    guard: Node
    arguments: tuple[Node, ...]
    types: tuple[Type, ...]


@dataclass(frozen=True)
class Quantified:
    """``forall(s)``: s holds at every instant of every run; ``exists(s)``: at some instant of some run."""

    stream: Stream
    universal: bool


def forall(stream: Any) -> Quantified:
    return Quantified(boolean(stream, "a property"), True)


def exists(stream: Any) -> Quantified:
    return Quantified(boolean(stream, "a property"), False)


@dataclass(frozen=True)
class Property:
    """``using``: what was stated before and may be taken for granted in its proof, once it is proved itself.
    ``admitted``: taken for granted without a proof."""

    name: str
    formula: Node
    universal: bool
    place: Position
    using: tuple[str, ...] = ()
    admitted: bool = False


class Spec:
    """Collects triggers, observers, properties and assumptions; the verbs do something with them."""

    def __init__(self, name: str = "monitor") -> None:
        if not name.isidentifier():
            raise error(f"{name!r} cannot be the name of a C file's functions")
        self.name = name
        self.triggers: list[Trigger] = []
        self.observers: dict[str, Node] = {}
        self.properties: dict[str, Property] = {}
        self.assumptions: list[Node] = []

    def trigger(self, name: str, guard: Any, arguments: Sequence[AnyStream] = ()) -> None:
        """Call the C function ``name`` at every instant at which ``guard`` holds.

        Several triggers may call one function, with arguments of the same types; at an instant they call it
        in the order in which they were stated.
        """
        if not name.isidentifier():
            raise error(f"trigger {name!r}: the name must be one that C can have")
        if name in self.observers:
            raise error(f"{name} is the name of an observer")
        for argument in arguments:
            if isinstance(argument, (bool, int, float)):
                raise error(f"an argument of trigger {name} is a constant: write constant(value, Type)")
        types = tuple(argument.type for argument in arguments)
        for other in self.triggers:
            if other.name == name and other.types != types:
                shown = [", ".join(map(repr, one)) or "nothing" for one in (other.types, types)]
                raise error(f"trigger {name} takes {shown[0]} in one place and {shown[1]} in another")
        nodes = tuple(leaf.node for argument in arguments for _, leaf in leaves(argument))
        self.triggers.append(Trigger(name, boolean(guard, f"the guard of {name}").node, nodes, types))

    def observer(self, name: str, stream: AnyStream) -> None:
        """Show a stream in tables; in C it is a variable that can be read after a step."""
        if not isinstance(stream, Stream) and not hasattr(stream, "define"):
            raise error(f"observer {name} needs a stream, not {stream!r}")
        for path, leaf in leaves(stream, name):
            if path in self.observers or path in (trigger.name for trigger in self.triggers):
                raise error(f"{path} is the name of another trigger or observer")
            self.observers[path] = leaf.node

    def prop(self, name: str, formula: Any) -> None:
        """A property to prove: ``forall(s)``, ``exists(s)``; a plain stream means forall."""
        self._state(name, formula)

    def theorem(self, name: str, formula: Any, using: Sequence[str] = ()) -> None:
        """A property that is proved with the help of others, which were stated before: its proof counts only
        if theirs succeed, and says which they are."""
        for other in using:
            known = self.properties.get(other)
            if known is None:
                raise error(f"theorem {name} uses {other}, which was not stated before it")
            if not known.universal:
                raise error(f"theorem {name} uses {other}: only what always holds can be used")
        self._state(name, formula, tuple(using))

    def lemma(self, name: str, formula: Any, using: Sequence[str] = ()) -> None:
        """A theorem that is there for others: incremental strengthening by hand."""
        self.theorem(name, formula, using)

    def admit(self, name: str, formula: Any) -> None:
        """A lemma without a proof: theorems that use it say so."""
        self._state(name, formula, admitted=True)

    def _state(self, name: str, formula: Any, using: tuple[str, ...] = (), admitted: bool = False) -> None:
        if name in self.properties:
            raise error(f"two properties are called {name}")
        if not name or any(mark in name for mark in "'@!"):
            raise error(f"{name!r} cannot be the name of a property")
        if not isinstance(formula, Quantified):
            formula = forall(formula)
        if admitted and not formula.universal:
            raise error(f"{name}: only what always holds can be admitted")
        self.properties[name] = Property(
            name, formula.stream.node, formula.universal, caller(), using, admitted
        )

    def assume(self, stream: Any) -> None:
        """Runs in which ``stream`` is ever false do not count in proofs."""
        self.assumptions.append(boolean(stream, "an assumption").node)

    # What can be done with it.

    def roots(self) -> list[Node]:
        """Everything the specification mentions, in a fixed order."""
        return [*self.outputs(), *(p.formula for p in self.properties.values()), *self.assumptions]

    def outputs(self) -> list[Node]:
        """What the compiled monitor computes: observers, guards and arguments."""
        found = list(self.observers.values())
        for trigger in self.triggers:
            found += [trigger.guard, *trigger.arguments]
        return found

    def calls(self) -> dict[str, list[Trigger]]:
        """The triggers by the function they call."""
        found: dict[str, list[Trigger]] = {}
        for trigger in self.triggers:
            found.setdefault(trigger.name, []).append(trigger)
        return found

    def flat(self) -> Flat:
        """Checked: every stream is defined, no instantaneous loop, no look into the future."""
        return flatten(self.roots())

    def interpret(self, steps: int, inputs: Mapping[str, Sequence[Any]] | None = None) -> Table:
        """Run it for some instants; ``inputs`` replace the externs' sample data."""
        from revet.streams.interpret import interpret

        return interpret(self, steps, inputs)

    def prove(
        self,
        *names: str,
        engine: str | None = None,
        engines: str | None = None,
        options: Mapping[str, Any] | None = None,
        timeout: float | None = 60,
        observe: Observer = ignore,
    ) -> dict[str, Proof]:
        """Prove or refute the named properties (all of them if none is named), and what they use.

        ``engine``, ``engines``, ``options`` and ``observe`` as for :func:`revet.check`; ``timeout`` is in
        seconds for each property.
        """
        from revet.streams.prove import How, prove

        return prove(self, names, How(engine, engines, options, timeout, observe))

    def prove_by_equations(
        self,
        name: str,
        *,
        engine: str | None = None,
        engines: str | None = None,
        options: Mapping[str, Any] | None = None,
        timeout: float | None = 60,
        observe: Observer = ignore,
    ) -> AbstractProof:
        """Prove or refute a property by structural abstraction: with as few equations as it takes
        (:mod:`revet.streams.equations`). The arguments are those of :meth:`prove`; the time is for a step."""
        from revet.streams.equations import prove_by_equations
        from revet.streams.prove import How

        if name not in self.properties:
            raise error(f"there is no property {name}; there are: {', '.join(self.properties) or 'none'}")
        return prove_by_equations(self, name, How(engine, engines, options, timeout, observe))

    def dependencies(self) -> Graph:
        """Which stream looks at which, as a picture: observers, guards and properties with what they use."""
        from revet.streams.equations import dependencies

        roots = {**self.observers, **{f"property {p.name}": p.formula for p in self.properties.values()}}
        roots.update({f"{trigger.name}() {n}": trigger.guard for n, trigger in enumerate(self.triggers)})
        return dependencies(roots, self.name)

    def compile_c(
        self, folder: str | Path | None = None, *, prefix: str | None = None, step: str | None = None
    ) -> CProgram:
        """C99 source, header and an example driver; written to ``folder`` if one is given.

        ``prefix`` begins the names of files, functions and observers (default: the specification's name);
        ``step`` is the function that the monitored program calls (default: ``PREFIX_step``).
        """
        from revet.streams.c_code import compile_c

        return compile_c(self, folder, prefix, step)

    def verify_c(
        self,
        *,
        prefix: str | None = None,
        step: str | None = None,
        engine: str | None = "bmc",
        timeout: float | None = 300,
        folder: str | Path | None = None,
    ) -> CProof:
        """Prove that the generated C does what the specification's transition system does, at every instant,
        without undefined behaviour (see :mod:`revet.streams.verify`).

        ``folder`` keeps the C files and the program that was checked, for ``revet check``.
        """
        from revet.streams.verify import verify_c

        return verify_c(self, self.compile_c(prefix=prefix, step=step), engine, timeout, folder)

    def simulate(self, steps: int, inputs: Mapping[str, Sequence[Any]] | None = None) -> Table:
        """Like :meth:`interpret`, but by the compiled C code."""
        from revet.streams.simulate import simulate

        return simulate(self, steps, inputs)

    def externs(self) -> dict[str, Scalar]:
        return {name: node.type for name, node in self.flat().externs.items()}
