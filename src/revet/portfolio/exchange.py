"""What workers tell each other: formulas that may be invariants, and bounds.

=============  ==============================================  =====================================
fact           who sends it                                    who uses it, and how
=============  ==============================================  =====================================
candidate      pdr-ia, ic3-qe, invgen: facts and lemmas that   kind, pdr-ia: proved again (Houdini)
               hold for ever; kind: what its generator found   before use
bound          bmc, kind: no violation within k steps          kind, bmc: these depths are not
                                                               searched again
=============  ==============================================  =====================================

Facts travel serialised and only between workers whose prepared model is the same: transition
systems made by the same passes (:func:`model_key`); nothing is translated. Nobody relies on them
for an answer: what a proof uses is part of its certificate, and the checker, which knows nothing
of all this, checks the whole, base case included. A false fact costs time, not soundness.
"""

from __future__ import annotations

import time
from collections.abc import Hashable
from typing import TYPE_CHECKING

from revet.driver.prepare import Preparation
from revet.engines.registry import EngineInfo, engine
from revet.model.cfa import Cfa
from revet.model.circuit import Circuit
from revet.transform.reduction import Model

if TYPE_CHECKING:
    from revet.portfolio.worker import Worker

_BOUNDS_FROM = ("bmc", "kind")  # those that count steps of the model, exactly
_EVERY = 0.2  # seconds between two bounds
_MOST = 200  # messages kept for workers that start later


def model_key(model: Model, info: EngineInfo, preparation: Preparation) -> Hashable | None:
    """Equal for engines that are given the same transition system; None if it is none."""
    if isinstance(model, Cfa):
        return ("system", preparation, info.blocks) if info.takes == "system" else None
    if info.takes == "circuit" or (isinstance(model, Circuit) and info.circuits):
        return None
    return "system", preparation


class Exchange:
    """The parent's side: passes on what one worker says to those with the same model."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._members: dict[Worker, Hashable] = {}
        self._kept: list[tuple[Worker, bytes]] = []
        self._bounds: dict[Hashable, int] = {}
        self._last_bound = 0.0

    def join(self, worker: Worker) -> None:
        """A worker has started: it gets what was said before."""
        configuration = worker.configuration
        key = model_key(self._model, engine(configuration.engine), configuration.preparation)
        if key is None:
            return
        for sender, data in self._kept:
            if self._members[sender] == key:
                worker.channel.post(("candidates", data))
        if key in self._bounds:
            worker.channel.post(("bound", self._bounds[key]))
        self._members[worker] = key

    def candidates(self, sender: Worker, data: bytes) -> None:
        """Serialised formulas, not looked at here."""
        if sender not in self._members:
            return
        if len(self._kept) < _MOST:
            self._kept.append((sender, data))
        self._post(sender, ("candidates", data))

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
            self._post(sender, ("bound", depth))

    def _post(self, sender: Worker, message: tuple[str, object]) -> None:
        for worker, key in self._members.items():
            if worker is not sender and key == self._members[sender]:
                worker.channel.post(message)

    def flush(self) -> None:
        """Send what did not fit into a pipe before."""
        for worker in self._members:
            worker.channel.flush()
