"""Generalisation of a blocked cube: fewer literals, more states (Bradley's *mic* and *down*).

The unsat core of the blocking query has already removed literals. Here each remaining one is
dropped on trial: if the smaller cube has no initial state and is still inductive relative to the
frame, the literal was not needed. With ``ctg`` set, a predecessor that spoils such a trial is
itself blocked if that is possible at once (Hassan, Bradley, Somenzi: *Better generalization in
IC3*, FMCAD 2013): it was an artefact of a frame that is too weak.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

from revet.engines.common.pdr.answers import INFINITY, Blocked, Level
from revet.engines.pdr_ia.abstraction import Cube, Literal
from revet.engines.pdr_ia.options import Options
from revet.engines.pdr_ia.queries import Before, Queries

# Counterexamples to generalisation are generalised themselves, but only so deep.
_DEPTH = 1


class Generalizer:
    """``learn`` adds a lemma to the frames; ``top`` tells the highest level."""

    def __init__(
        self,
        queries: Queries,
        options: Options,
        learn: Callable[[Blocked[Cube]], Level],
        top: Callable[[], int],
    ) -> None:
        self._queries = queries
        self._options = options
        self._learn = learn
        self._top = top
        # How often a literal has been part of a lemma: rare ones are dropped first.
        self._activity: Counter[Literal] = Counter()
        self._random = Random(options.seed) if options.seed else None

    def generalize(self, blocked: Blocked[Cube], level: int) -> Blocked[Cube]:
        """A smaller cube that is also blocked at ``level``, or higher."""
        if self._options.dropping:
            blocked = self._mic(blocked, level, 0)
        self._activity.update(blocked.core.literals)
        return self._push(blocked)

    def _mic(self, blocked: Blocked[Cube], level: int, depth: int) -> Blocked[Cube]:
        failures = 0
        order = sorted(blocked.core.literals, key=self._rarity)
        for literal in order:
            if literal not in blocked.core.members:
                continue  # an earlier core removed it
            if self._queries.keeps(literal):
                continue
            if len(blocked.core) == 1:
                break
            smaller = self._down(blocked.core.without(literal), level, depth)
            if smaller is not None:
                blocked, failures = smaller, 0
                continue
            failures += 1
            if failures == self._options.attempts:
                break
        return blocked

    def _rarity(self, literal: Literal) -> tuple[int, float]:
        tie = -literal.number if self._random is None else self._random.random()
        return self._activity[literal], tie

    def _down(self, cube: Cube, level: int, depth: int) -> Blocked[Cube] | None:
        """Is the cube inductive relative to F_(level-1), after blocking some counterexamples?"""
        if self._queries.initial(cube):
            return None
        if depth >= _DEPTH or not self._options.ctg:
            return self._queries.inductive(cube, level)
        for _ in range(1 + self._options.ctg):
            result = self._queries.consecution(cube, level)
            if isinstance(result, Blocked):
                return result
            if not self._block_ctg(result.by, depth):
                return None
        return None

    def _block_ctg(self, before: Before, depth: int) -> bool:
        if before.level < 1 or self._queries.initial(before.cube):
            return False
        result = self._queries.inductive(before.cube, before.level)
        if result is None:
            return False
        self._learn(self._push(self._mic(result, before.level, depth + 1)))
        return True

    def _push(self, blocked: Blocked[Cube]) -> Blocked[Cube]:
        """The same cube at the highest level where it is blocked as it stands."""
        while blocked.level < self._top():
            result = self._queries.inductive(blocked.core, int(blocked.level) + 1)
            if result is None:
                return blocked
            blocked = result
        if blocked.level == INFINITY:
            return blocked
        return Blocked(blocked.core, min(blocked.level, self._top()))
