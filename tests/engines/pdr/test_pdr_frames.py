"""The frames of pdr: which lemmas count in which query, also after the solver was made anew."""

from __future__ import annotations

import pytest

from revet.engines.common.context import Context
from revet.engines.pdr import Options
from revet.engines.pdr.frames import Blocked, Frames, Reached
from revet.model.circuit import Circuit
from revet.model.circuit_cnf import encode
from revet.smt.sat import SatClock


def delay_line() -> Circuit:
    """Latch 1 takes the input, latch 2 takes latch 1; bad when latch 2 is set."""
    return Circuit(inputs=1, next=[2, 4], reset=[0, 0], left=[], right=[], bad={"late": 6})


@pytest.mark.parametrize("renew", [1, 600])
def test_a_lemma_counts_up_to_its_level(renew: int) -> None:
    context = Context()
    frames = Frames(encode(delay_line()), Options(renew=renew), context, SatClock())
    for _ in range(3):
        frames.open()
    frames.add((1,), 2)  # not a lemma of this circuit, but it tells the frames apart
    answers = [isinstance(frames.consecution(level, (2,)), Blocked) for level in range(4) for _ in "ab"]
    assert answers == [True, True, True, True, True, True, False, False]
    assert not frames.inductive_alone((2,))
    frames.raise_to(frames.lemmas[2].pop(), 3, (1,))
    answer = frames.consecution(3, (2,))
    assert isinstance(answer, Blocked) and answer.core == (2,)
    assert not frames.inductive_alone((2,))
    frames.add_always((1,))
    assert frames.lemmas == [[], [], [], []]
    assert frames.inductive_alone((2,))
    assert (context.stats.counts["solvers renewed"] > 0) == (renew == 1)


@pytest.mark.parametrize("renew", [1, 600])
def test_the_initial_states_count_in_the_first_frame_only(renew: int) -> None:
    frames = Frames(encode(delay_line()), Options(renew=renew), Context(), SatClock())
    assert frames.bad_state() is None
    frames.open()
    assert isinstance(frames.consecution(0, (2,)), Blocked)
    assert isinstance(frames.consecution(0, (1,)), Reached)
    assert isinstance(frames.consecution(1, (2,)), Reached)
    model = frames.bad_state()
    assert model is not None and model[1] == 2


def test_a_lemma_that_stays_behind_is_asked_about_when_its_obstacle_is_gone() -> None:
    clock = SatClock()
    frames = Frames(encode(delay_line()), Options(), Context(), clock)
    for _ in range(3):
        frames.open()
    frames.add((2,), 1)
    assert frames.moves_on(1, (2,)) is None
    asked = clock.queries
    frames.add((-1, 2), 1)  # the state that led to latch 2 has latch 1 set: it is still there
    assert frames.moves_on(1, (2,)) is None
    assert clock.queries == asked
    frames.add((1,), 2)  # not a lemma of this circuit, but it excludes that state
    answer = frames.moves_on(1, (2,))
    assert answer is not None and answer.core == (2,)
    assert clock.queries == asked + 1
