"""The libraries, each against a few lines of Python that say the same about lists."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from revet.streams import Bool, Double, Int16, Integer, Spec, StreamError, Word8, Word16, constant, extern
from revet.streams.library import (
    clocks,
    ltl,
    mtl,
    ptltl,
    regular,
    stacks,
    state_machine,
    statistics,
    voting,
)

STEPS = 40
RNG = random.Random(7)
P_DATA = [RNG.random() < 0.6 for _ in range(STEPS)]
Q_DATA = [RNG.random() < 0.3 for _ in range(STEPS)]
N_DATA = [RNG.randint(-50, 50) for _ in range(STEPS)]
P, Q, N = extern("p", Bool, P_DATA), extern("q", Bool, Q_DATA), extern("n", Int16, N_DATA)


def values(stream: Any, steps: int = STEPS) -> list[Any]:
    spec = Spec("library")
    spec.observer("it", stream)
    return spec.interpret(steps)["it"]


def past(data: list[Any], t: int, n: int, before: Any) -> list[Any]:
    return [data[t - k] if t >= k else before for k in range(n)]


def test_past_time_logic() -> None:
    times = range(STEPS)
    assert values(ptltl.previous(P)) == [False, *P_DATA[:-1]]
    assert values(ptltl.always_been(P)) == [all(P_DATA[: t + 1]) for t in times]
    assert values(ptltl.eventually_prev(Q)) == [any(Q_DATA[: t + 1]) for t in times]
    assert values(ptltl.since(P, Q)) == [
        any(Q_DATA[s] and all(P_DATA[s + 1 : t + 1]) for s in range(t + 1)) for t in times
    ]


def test_bounded_logic() -> None:
    p, q = [False] * 4 @ P, [False] * 4 @ Q
    ps, qs = [False] * 4 + P_DATA, [False] * 4 + Q_DATA
    times = range(STEPS)
    assert values(ltl.next_(p)) == [ps[t + 1] for t in times]
    assert values(ltl.always(3, p)) == [all(ps[t : t + 4]) for t in times]
    assert values(ltl.eventually(3, q)) == [any(qs[t : t + 4]) for t in times]
    until = [any(qs[t + k] and all(ps[t : t + k]) for k in range(4)) for t in times]
    assert values(ltl.until(3, p, q)) == until
    assert values(ltl.release(3, p, q)) == [
        all(qs[t + k] or any(ps[t : t + k]) for k in range(4)) for t in times
    ]
    with pytest.raises(StreamError, match="future is not known"):
        ltl.next_(P)


def test_metric_logic() -> None:
    times = range(STEPS)
    assert values(mtl.once(2, 5, Q)) == [any(past(Q_DATA, t, 6, False)[2:]) for t in times]
    assert values(mtl.historically(1, 3, P)) == [all(past(P_DATA, t, 4, True)[1:]) for t in times]
    assert values(mtl.since(1, 4, P, Q)) == [
        any(t >= k and Q_DATA[t - k] and all(P_DATA[t - k + 1 : t + 1]) for k in range(1, 5)) for t in times
    ]
    ticks = [sum(2 + (s * 7) % 3 for s in range(t)) for t in times]
    clock = extern("clock", Word16, ticks)
    assert values(mtl.once_within(3, 9, clock, 2, Q)) == [
        any(Q_DATA[s] and 3 <= ticks[t] - ticks[s] <= 9 for s in range(t + 1)) for t in times
    ]
    assert values(mtl.historically_within(0, 8, clock, 2, P)) == [
        all(P_DATA[s] for s in range(t + 1) if ticks[t] - ticks[s] <= 8) for t in times
    ]


def test_majority() -> None:
    data = [[RNG.randint(0, 2) for _ in range(STEPS)] for _ in range(5)]
    votes = [extern(f"v{n}", Word8, column) for n, column in enumerate(data)]
    candidate = voting.majority(votes)
    chosen, confirmed = values(candidate), values(voting.has_majority(candidate, votes))
    assert any(confirmed) and not all(confirmed)
    for t in range(STEPS):
        ballot = [column[t] for column in data]
        winners = [v for v in set(ballot) if 2 * ballot.count(v) > 5]
        assert confirmed[t] == bool(winners) and (not winners or chosen[t] == winners[0])


def test_clocks() -> None:
    expected = [t % 5 == 2 for t in range(STEPS)]
    assert values(clocks.clock(5, 2)) == expected
    assert values(clocks.counting_clock(Word8, 5, 2)) == expected
    spec = Spec("clocks")
    spec.prop("agree", clocks.clock(3, 1) == clocks.counting_clock(Integer, 3, 1))
    assert spec.prove(engine="kind")["agree"].status == "proved"
    with pytest.raises(StreamError):
        clocks.clock(3, 3)


def test_stack() -> None:
    held: list[int] = []
    expected = []
    for push, pop, value in zip(P_DATA, Q_DATA, N_DATA, strict=True):
        if push:
            held = [value, *held][:3]
        elif pop:
            held = held[1:]
        expected.append(held[0] if held else -1)
    assert values(stacks.stack(3, Int16, -1, P, Q, N)) == expected


def test_statistics() -> None:
    times = range(STEPS)
    windows = [past(N_DATA, t, 4, 0) for t in times]
    assert values(statistics.maximum(4, N, 0)) == [max(w) for w in windows]
    assert values(statistics.minimum(4, N, 0)) == [min(w) for w in windows]
    assert values(statistics.total(4, N)) == [sum(w) for w in windows]
    assert values(statistics.mean(4, N)) == [sum(w) // 4 for w in windows]
    assert values(statistics.mean(2, extern("d", Double, [1.0, 2.0])), 3) == [0.5, 1.5, 1.5]
    assert values(statistics.maximum_so_far(N)) == [max(N_DATA[: t + 1]) for t in times]
    assert values(statistics.minimum_so_far(N)) == [min(N_DATA[: t + 1]) for t in times]


def test_state_machine() -> None:
    state = state_machine.state_machine(0, [(0, P, 1), (1, Q, 2), (2, constant(True, Bool), 0)])
    current, expected = 0, []
    for p, q in zip(P_DATA, Q_DATA, strict=True):
        expected.append(current)
        current = {0: 1 if p else 0, 1: 2 if q else 1, 2: 0}[current]
    assert values(state) == expected


@pytest.mark.parametrize(
    "pattern", ["<a>*<b>", "(<a>|<b>)+<b><b>?", "<a>(<b><a>)*", "(<a><a>|<b>)*", "<b>?<a>+"]
)
def test_regular_expressions(pattern: str) -> None:
    word = "".join(RNG.choice("aab") for _ in range(STEPS))
    resets = [t % 9 == 4 for t in range(STEPS)]
    streams = {letter: extern(letter, Bool, [c == letter for c in word]) for letter in "ab"}
    found = values(regular.match(pattern, streams, extern("reset", Bool, resets)))
    compiled = re.compile(pattern.replace("<", "").replace(">", ""))
    start = 0
    for t in range(STEPS):
        start = t if resets[t] else start
        assert found[t] == bool(compiled.fullmatch(word[start : t + 1])), (t, word[start : t + 1])


def test_bad_regular_expressions() -> None:
    for pattern in ("(<a>", "<a>)", "*", "<c>"):
        with pytest.raises(StreamError, match="regular expression"):
            regular.match(pattern, {"a": P})
