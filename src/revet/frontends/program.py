"""What a front end returns: the model, and everything needed to talk about it in source terms.

Every language has one subclass of :class:`Program`. What only some languages can do is a *capability*, one of
the small abstract classes at the end of this module; whoever needs it asks ``isinstance(program, Explores)``,
and the type checker knows the rest.
"""

from __future__ import annotations

import os.path
from abc import ABC, abstractmethod
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING

from revet.errors import UsageError, no_such_property

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path
    from typing import Self

    from revet.budget import Budget
    from revet.checker.only_run import ObservedRun
    from revet.errors import Position
    from revet.frontends.kit.source_run import SourceInvariant, SourceRun, StreamTable
    from revet.model.cfa import Location
    from revet.model.kind import Model
    from revet.model.procedures import Procedures
    from revet.result.certificate import Certificate
    from revet.result.trace import CfaTrace, InputTrace, Trace
    from revet.result.verdict import Verdict


class ReplayFailed(Exception):
    """The interpreter of the source language did not confirm a trace: a bug in Revet."""


class Mistranslated(Exception):
    """The model does something else than the compiled program: a bug in Revet."""


@dataclass(frozen=True)
class Property:
    """What is asked of a program: ``kind`` in one word (assertion, overflow, …), where it stands and what
    it says, as far as the source tells; ``weakness`` is what breaking it is in the Common Weakness
    Enumeration."""

    name: str
    kind: str = "assertion"
    position: Position | None = None
    text: str = ""
    weakness: int | None = None


class Program(ABC):
    """A program as it was read.

    ``assumptions`` are listed with every answer ("nondet_int() has no body: any value").
    ``precise`` is False where the model over-approximates the program (``--approximate``): then *unsafe*
    becomes *unknown* unless the replay confirms it.
    ``open_ends`` are locations at which the *model* ends though the program goes on (calls below a recursion
    limit): they are no errors, but *safe* holds only if none of them is reachable.
    """

    language: str
    """The language's name, as the registry has it; set by every subclass."""

    judges_quantifiers = False
    """Does the interpreter decide what is quantified in the model's guard, or refuse?"""

    left_out: tuple[str, ...] = ()
    """What was asked about and is not looked at, because the program has something that is not modelled for
    it: said with every *safe*."""

    reach: frozenset[str] = frozenset()
    """Properties of which a *violation* is wanted: the run is a witness (``check reachable``)."""

    def __init__(
        self,
        model: Model,
        paths: Sequence[Path | str] = (),
        assumptions: tuple[str, ...] = (),
        *,
        precise: bool = True,
        open_ends: tuple[Location, ...] = (),
    ) -> None:
        self.model = model
        self.paths = tuple(paths)
        self.assumptions = assumptions
        self.precise = precise
        self.open_ends = open_ends

    @abstractmethod
    def replay(self, trace: Trace, budget: Budget | None = None) -> list[str]:
        """Run a trace of the model in the *source language's* interpreter, without a solver and within the
        budget, if there is one.

        Returns sentences about how it was confirmed; raises :class:`ReplayFailed` or ``OutOfBudget``."""

    def warm(self) -> None:  # noqa: B027 - most languages have nothing to load
        """Load what an answer will need; called while the engines run."""

    @property
    def files(self) -> tuple[Path, ...]:
        from pathlib import Path  # most answers do without, and it takes a while to load

        return tuple(map(Path, self.paths))

    @property
    def title(self) -> str:
        """What the program is called in messages."""
        return ", ".join(os.path.basename(path) for path in self.paths) or self.model.name

    # ---- properties -------------------------------------------------------------------------

    @property
    def properties(self) -> tuple[Property, ...]:
        """In the order of the source: error locations, or the system's properties."""
        model = self.model
        return tuple(Property(name, position=model.position_of(name)) for name in model.property_names)

    @property
    def settings(self) -> dict[str, str]:
        """What the answer depends on beside the files, for reports: the entry, the data model, …"""
        return {}

    @property
    def property_names(self) -> list[str]:
        return [one.name for one in self.properties]

    def restricted_to(self, *names: str) -> Self:
        """The same program with some of its properties only."""
        for name in names:
            if name not in self.property_names:
                raise UsageError(no_such_property(name, self.property_names))
        return self._about(self.model.restricted_to(*names))

    @property
    def reaching(self) -> bool:
        """Is this a question about a property that should be reached?"""
        return bool(self.reach) and bool(self.properties) and self.reach.issuperset(self.property_names)

    def questions(self) -> list[tuple[str | None, Self]]:
        """The program, or where some properties are to be reached: the others, then each of these by
        name."""
        if self.reach.isdisjoint(self.property_names):
            return [(None, self)]
        others = [name for name in self.property_names if name not in self.reach]
        first: list[tuple[str | None, Self]] = [(None, self.restricted_to(*others))] if others else []
        wanted = [name for name in self.property_names if name in self.reach]
        return [*first, *((name, self.restricted_to(name)) for name in wanted)]

    def beyond(self) -> str:
        """Why *safe* is not said though the model has no violation: one of its open ends may be reachable."""
        names = [location.name for location in self.open_ends]
        in_words = [name for name in names if "@" not in name]  # the others are kind@place
        if in_words:
            more = [f"{len(in_words) - 3} more"] if len(in_words) > 3 else []
            left_out = ", ".join([*in_words[:3], *more])
            return f"no violation found, but the answer depends on what the model leaves out: {left_out}"
        return f"no violation in the model, which ends at {', '.join(names)}"

    def closed(self) -> Self:
        """The same program with its open ends among the errors: if that is safe, this is."""
        cfa = self.model.as_automaton()
        assert cfa is not None, "only automata have open ends"
        other = self._about(cfa.with_errors((*cfa.errors, *self.open_ends)))
        other.open_ends = ()
        return other

    def listing(self, assumptions: tuple[str, ...]) -> Self:
        """The same program with other assumptions to be listed."""
        other = copy(self)
        other.assumptions = assumptions
        return other

    def _about(self, model: Model) -> Self:
        other = copy(self)
        other.model = model
        return other


# ---- what some languages can do --------------------------------------------------------------


class TellsRuns(ABC):
    """Counterexamples in source terms."""

    @abstractmethod
    def render_trace(self, trace: Trace) -> str:
        """As text, to read on a terminal."""

    @abstractmethod
    def source_run(self, trace: Trace) -> SourceRun | StreamTable:
        """As data, for reports; raises :class:`ReplayFailed` for a run that only the model confirms."""


class TellsInvariants(ABC):
    """Certificates in source terms."""

    @abstractmethod
    def render_certificate(self, certificate: Certificate) -> str:
        """As text, to read on a terminal."""

    @abstractmethod
    def source_invariants(self, certificate: Certificate) -> list[SourceInvariant]:
        """As data, for reports."""


class Explores(ABC):
    """Programs that can be run with inputs of our choice."""

    @property
    def takes_inputs(self) -> bool:
        """May a run ask for something? If not, running it once comes before all else."""
        return True

    @property
    def reads_text(self) -> bool:
        """May a run read text? What breaks then is most often found by running."""
        return False

    @abstractmethod
    def explore(self, wanted: Collection[str], budget: Budget, native: bool) -> Verdict:
        """Try runs until one breaks one of the properties named or the budget ends; ``native`` allows it
        to compile and run the program."""


class HasOnlyRun(ABC):
    """Programs whose interpreter knows when a run draws nothing from outside."""

    @abstractmethod
    def run_alone(self, wanted: Collection[str], budget: Budget) -> Verdict | None:
        """What the run that is given nothing shows of the properties named, if it is the only one, or one of
        few, and short."""

    @abstractmethod
    def only_run(self, budget: Budget, choices: tuple[int, ...] = ()) -> ObservedRun:
        """Run the program from its start and give it nothing but these choices among few values: what was
        seen, for the checker (:mod:`revet.checker.only_run`). Raises ``OutOfBudget``."""


class ValidatesTranslation(ABC):
    """Programs whose model can be compared with the program itself."""

    @abstractmethod
    def validate(self, certificate: Certificate, budget: Budget) -> str | None:
        """After a proof: run the model and the compiled program with the same inputs, and say what came of
        it; None if nobody asked. Raises :class:`Mistranslated` where they differ."""


class HasProcedures(ABC):
    """Programs with another model for proofs about recursion: complete, with their procedures as they are
    and with (at least) the errors of ``model``."""

    recursive: bool
    """Does this program have such a model?"""

    @abstractmethod
    def procedures(self) -> Procedures:
        """Make the model; raises :class:`revet.errors.Unsupported`."""


class Remarks(ABC):
    """Programs that say what their answers are about, and what a reader of one should not miss."""

    @abstractmethod
    def remarks(self, verdict: Verdict) -> list[str]:
        """Sentences for the report; those that begin with *warning* are about what the answer leaves out."""


class Divides(Program):
    """Programs about which a question may fall into portions: if each is safe the whole is."""

    portions: tuple[str, ...] = ()
    """Their names; fewer than two where there is nothing to divide."""

    @abstractmethod
    def portion(self, name: str) -> Program:
        """The program as it is read when only this is asked."""


class WritesWitnesses(ABC):
    """Evidence in the notation that the language's other tools read."""

    @abstractmethod
    def witness(self, verdict: Verdict) -> str | None:
        """The text of ``--witness``; None where the notation has none for this verdict."""


class ReadsWitnesses(ABC):
    @abstractmethod
    def read_witness(self, text: str, path: str) -> Verdict:
        """What a witness claims, to be confirmed like any other verdict."""


class WritesModels(ABC):
    """Evidence as SMT-LIB, for other solvers to check."""

    @abstractmethod
    def smtlib_model(self, verdict: Verdict) -> str | None:
        """The text of ``--model``; None where the verdict has no model."""

    @abstractmethod
    def smtlib_proof(self, verdict: Verdict) -> str | None:
        """The text of ``--proof``; None where the verdict has no derivation."""


@dataclass(frozen=True)
class Weakness:
    """A kind of fault: a short name, a sentence, and its number in the Common Weakness Enumeration."""

    name: str
    title: str
    cwe: int


class KnowsWeaknesses(ABC):
    @abstractmethod
    def weakness(self, property: str) -> Weakness | None:
        """What kind of fault the violation of a property is, if that is known."""


class WritesHarness(ABC):
    @abstractmethod
    def harness(self, trace: Trace) -> str | None:
        """A driver in the source language that reproduces a violation; None where it cannot be written."""


def has_procedures(program: Program) -> bool:
    """Can the engines that work on procedures be asked about this program?"""
    return isinstance(program, HasProcedures) and program.recursive


def run_of_source(trace: Trace, open_ends: Collection[Location]) -> CfaTrace | InputTrace:
    """The trace, if it is one that an interpreter can follow to a violation."""
    from revet.result.trace import CfaTrace, InputTrace

    if isinstance(trace, InputTrace):
        return trace
    if not isinstance(trace, CfaTrace):
        raise ReplayFailed("not a run of an automaton")
    if trace.locations[-1] in open_ends:
        raise ReplayFailed(f"the model ends at {trace.violated}, the program goes on")
    return trace
