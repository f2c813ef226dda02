"""What a worker offers to the others, and what it hears from them; see :mod:`revet.portfolio.exchange`."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from revet.engines.common.context import Fact, SharedLemma
from revet.events import CandidateFound, InvariantFound, LemmaLearnt, PredicateFound

if TYPE_CHECKING:
    from typing import Any

    from revet.events import Event
    from revet.logic.terms import Term
    from revet.portfolio.channel import Channel

_EVERY = 0.5  # seconds between two batches of formulas
_SOON = 0.1  # seconds between two batches of lemmas for the same team
_MOST_FACTS, _LARGEST_FACT = 300, 60  # formulas that a worker offers, and their size
_MOST_LEMMAS = 200  # in one batch: the newest ones, where more were learnt meanwhile


class Outbox:
    """Formulas for other workers, in batches: few, small, and not often. With a ``team``, also lemmas."""

    def __init__(self, channel: Channel, team: str = "") -> None:
        self._channel = channel
        self._lemmas: list[SharedLemma] | None = [] if team else None
        self._lemmas_due = 0.0
        self._waiting: dict[str, dict[Term, None]] = {"candidates": {}, "predicates": {}}
        self._sent = 0
        self._due = 0.0

    def notice(self, event: Event) -> None:
        if self._lemmas is not None and isinstance(event, LemmaLearnt):
            self._lemmas.append(SharedLemma(event.lemma, event.level))
        kind, formula = "candidates", None
        match event:
            case InvariantFound(_, found, None) | LemmaLearnt(_, found, None, None):
                formula = found
            case CandidateFound(_, found):
                formula = found
            case PredicateFound(_, found):
                kind, formula = "predicates", found
        # A cube of a circuit's latches is of no use to engines that know terms.
        if formula is not None and not isinstance(formula, tuple) and self._sent < _MOST_FACTS:
            self._waiting[kind][formula] = None
            self._sent += 1

    def send(self, now: float) -> None:
        if self._lemmas and now >= self._lemmas_due:
            self._lemmas_due = now + _SOON
            self._channel.send(("lemmas", _packed(self._lemmas[-_MOST_LEMMAS:])))
            self._lemmas.clear()
        if now < self._due or not any(self._waiting.values()):
            return
        self._due = now + _EVERY
        from revet.logic.serialize import dumps
        from revet.logic.walk import subterms

        for kind, waiting in self._waiting.items():
            small = [formula for formula in waiting if len(subterms(formula)) <= _LARGEST_FACT]
            waiting.clear()
            if small:
                self._channel.send((kind, dumps(small)))


class Inbox:
    """What the parent passed on from other workers."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._facts: list[Fact] = []
        self._predicates: list[Term] = []
        self._bound = -1
        self._lemmas: list[SharedLemma] = []
        self._lemmas_due = 0.0

    def _look(self) -> None:
        for kind, data in self._channel.receive():
            match kind:
                case "bound":
                    self._bound = max(self._bound, data)
                case "predicates":
                    self._predicates += _loads(data)
                case "lemmas":
                    self._lemmas += _unpacked(data)
                case "candidates":
                    self._facts += [Fact(formula) for formula in _loads(data)]

    def news(self) -> list[Fact]:
        self._look()
        facts, self._facts = self._facts, []
        return facts

    def predicates(self) -> list[Term]:
        self._look()
        return self._predicates

    def bound(self) -> int:
        self._look()
        return self._bound

    def lemmas(self) -> list[SharedLemma]:
        """Engines may ask at every obligation: the pipe is looked at now and then."""
        now = time.monotonic()
        if now >= self._lemmas_due:
            self._lemmas_due = now + _SOON
            self._look()
        lemmas, self._lemmas = self._lemmas, []
        return lemmas


def _packed(lemmas: list[SharedLemma]) -> tuple[bytes | list[Any], list[int | None]]:
    """Cubes of a circuit's latches are numbers; terms are serialised."""
    levels = [lemma.level for lemma in lemmas]
    if isinstance(lemmas[0].lemma, tuple):
        return [lemma.lemma for lemma in lemmas], levels
    from revet.logic.serialize import dumps

    return dumps([lemma.lemma for lemma in lemmas]), levels


def _unpacked(data: tuple[bytes | list[Any], list[int | None]]) -> list[SharedLemma]:
    packed, levels = data
    lemmas = _loads(packed) if isinstance(packed, bytes) else packed
    return [SharedLemma(lemma, level) for lemma, level in zip(lemmas, levels, strict=True)]


def _loads(data: bytes) -> list[Term]:
    from revet.logic.serialize import loads  # not needed for circuits, and it takes its time to load

    return loads(data)
