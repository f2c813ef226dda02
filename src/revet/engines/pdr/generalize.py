"""Dropping literals from a cube that is inductive relative to a frame (Bradley's MIC)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.engines.pdr.frames import Blocked, Reached

if TYPE_CHECKING:
    from collections.abc import Callable

    from revet.engines.pdr import Options
    from revet.engines.pdr.frames import Cube, Frames


class Generalizer:
    """``add`` adds a blocked counterexample to generalisation to the frames."""

    def __init__(self, frames: Frames, options: Options, add: Callable[[Cube, int], None]) -> None:
        self.frames = frames
        self.options = options
        self.add = add

    def generalize(self, level: int, cube: Cube, depth: int = 0) -> Cube:
        """A part of the cube that is still inductive relative to F_level and not initial."""
        frames = self.frames
        failures, limit = 0, self.options.attempts
        required: set[int] = set()
        for literal in self._order(cube):
            if literal not in cube or len(cube) == 1:
                continue
            candidate = tuple([x for x in cube if x != literal])
            smaller = None
            if not frames.meets_init(candidate):
                smaller = self._down(level, candidate, required, depth)
            if smaller is not None:
                cube = smaller
                failures = 0
            else:
                required.add(literal)
                failures += 1
                if limit is not None and failures >= limit:
                    break
        return cube

    def _order(self, cube: Cube) -> list[int]:
        match self.options.ordering:
            case "activity":
                activity = self.frames.activity
                return sorted(cube, key=lambda x: activity[abs(x)])
            case "index":
                return sorted(cube, key=abs)
            case "reverse":
                return sorted(cube, key=abs, reverse=True)

    def _down(self, level: int, cube: Cube, required: set[int], depth: int) -> Cube | None:
        """The cube, or part of it, if it is inductive relative to F_level: perhaps after some
        predecessors were blocked, or joined with it."""
        frames, options = self.frames, self.options
        ctg = options.ctg and depth < options.ctg_depth
        blocked = 0
        while True:
            frames.context.budget.poll()
            answer = frames.consecution(level, cube, model=ctg)
            if isinstance(answer, Blocked):
                return answer.core
            if not ctg:
                return None
            state = answer.by[: frames.step.latches]
            if blocked < options.ctgs and level > 0 and not frames.meets_init(state):
                below = frames.consecution(level - 1, tuple(state), model=False)
                if isinstance(below, Blocked):
                    blocked += 1
                    self._block_ctg(level, below.core, depth)
                    continue
            blocked = 0
            kept = set(state)
            joined = tuple([x for x in cube if x in kept])
            if len(joined) == len(cube) or not required.issubset(joined) or frames.meets_init(joined):
                return None
            cube = joined

    def _block_ctg(self, level: int, cube: Cube, depth: int) -> None:
        """The cube is inductive relative to F_(level - 1): as far out as it goes, then smaller."""
        frames = self.frames
        while level < frames.top:
            further = frames.consecution(level, cube, model=False)
            if isinstance(further, Reached):
                break
            cube = further.core
            level += 1
        self.add(self.generalize(level - 1, cube, depth + 1), level)
