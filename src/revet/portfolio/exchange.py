"""What workers tell each other: formulas that may be invariants, predicates, and bounds.

=============  ==============================================  =====================================
fact           who sends it                                    who uses it, and how
=============  ==============================================  =====================================
candidate      pdr-ia, ic3-qe, invgen: facts and lemmas that   kind, pdr-ia: proved again (Houdini)
               hold for ever; kind: what its generator found   before use
predicate      cegar, pdr-ia: what refinement found            cegar, pdr-ia: tried when their own
                                                               interpolants enumerate values
bound          bmc, kind: no violation within k steps          kind, bmc: these depths are not
                                                               searched again
lemma          a worker of a team (``-O workers=N``): what     the others of its team: shown anew
               it learnt, with its level                       against their own frames
=============  ==============================================  =====================================

Facts travel serialised. Candidates and bounds go only to workers whose prepared model is the same:
transition systems made by the same passes (:func:`model_key`); nothing is translated. Predicates
speak of the program's variables, which the models share; who lacks one leaves the predicate. Nobody
relies on any of this for an answer: what a proof uses is part of its certificate, and the checker,
which knows nothing of all this, checks the whole, base case included. A false fact costs time, not
soundness.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from revet.engines.registry import engine

if TYPE_CHECKING:
    from collections.abc import Hashable

    from revet.driver.prepare import Preparation
    from revet.engines.registry import EngineInfo
    from revet.model.cfa import Cfa
    from revet.model.circuit import Circuit
    from revet.model.horn import HornSystem
    from revet.model.kind import Model
    from revet.model.system import TransitionSystem
    from revet.portfolio.worker import Worker

_BOUNDS_FROM = ("bmc", "kind")  # those that count steps of the model, exactly
_REFINE = ("cegar", "pdr-ia")  # those that find predicates, and take others'
_EVERY = 0.2  # seconds between two bounds
_MOST = 200  # messages kept for workers that start later


def model_key(model: Model, info: EngineInfo, preparation: Preparation) -> Hashable | None:
    """Equal for engines that are given the same transition system; None if it is none."""
    return model.accept(_Key(info, preparation))


class _Key:
    """:func:`model_key` for each kind of model."""

    def __init__(self, info: EngineInfo, preparation: Preparation) -> None:
        self.info = info
        self.preparation = preparation

    def automaton(self, cfa: Cfa | HornSystem) -> Hashable | None:
        return ("system", self.preparation, self.info.blocks) if self.info.takes == "system" else None

    def system(self, system: TransitionSystem | Circuit) -> Hashable | None:
        return None if self.info.takes == "circuit" else ("system", self.preparation)

    def circuit(self, circuit: Circuit) -> Hashable | None:
        return None if self.info.circuits else self.system(circuit)

    def clauses(self, clauses: HornSystem) -> Hashable | None:
        return None if self.info.horn else self.automaton(clauses)


class Exchange:
    """The parent's side: passes on what one worker says to those with the same model."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._members: dict[Worker, Hashable | None] = {}
        self._kept: list[tuple[Worker, str, bytes]] = []
        self._bounds: dict[Hashable, int] = {}
        self._last_bound = 0.0

    def join(self, worker: Worker) -> None:
        """A worker has started: it gets what was said before."""
        configuration = worker.configuration
        key = model_key(self._model, engine(configuration.engine), configuration.preparation)
        self._members[worker] = key
        for sender, kind, data in self._kept:
            if self._concerns(worker, sender, kind):
                worker.channel.post((kind, data))
        if key in self._bounds:
            worker.channel.post(("bound", self._bounds[key]))

    def formulas(self, sender: Worker, kind: str, data: bytes) -> None:
        """Serialised candidates or predicates, not looked at here."""
        if sender not in self._members:  # it works on a closed copy of the program
            return
        if len(self._kept) < _MOST:
            self._kept.append((sender, kind, data))
        self._post(sender, kind, data)

    def bound(self, sender: Worker, depth: int) -> None:
        """No violation within ``depth`` steps; told now and then."""
        key = self._members.get(sender)
        if key is None or sender.configuration.engine not in _BOUNDS_FROM:
            return
        if depth <= self._bounds.get(key, -1):
            return
        self._bounds[key] = depth
        if time.monotonic() >= self._last_bound + _EVERY:
            self._last_bound = time.monotonic()
            self._post(sender, "bound", depth)

    def _post(self, sender: Worker, kind: str, data: object) -> None:
        for worker in self._members:
            if self._concerns(worker, sender, kind):
                worker.channel.post((kind, data))

    def _concerns(self, worker: Worker, sender: Worker, kind: str) -> bool:
        if worker is sender:
            return False
        if kind == "lemmas":
            return worker.configuration.team == sender.configuration.team
        if kind == "predicates":
            return {worker.configuration.engine, sender.configuration.engine} <= set(_REFINE)
        key = self._members[worker]
        return key is not None and key == self._members[sender]

    def flush(self) -> None:
        """Send what did not fit into a pipe before."""
        for worker in self._members:
            worker.channel.flush()
