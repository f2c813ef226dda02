"""Several questions share a limit of time."""

from __future__ import annotations

from typing import Any

import pytest

from revet.cli import shares


class Clock:
    """Time that passes only while somebody is asked. ``needs``: seconds until each has an answer."""

    def __init__(self, needs: dict[str, float], limit: float | None) -> None:
        self.now, self.needs, self.limit = 0.0, needs, limit
        self.asked: list[tuple[str, float | None]] = []
        self.told: list[str] = []

    def left(self) -> float | None:
        return None if self.limit is None else max(0.1, self.limit - self.now)

    def ask(self, question: Any, program: Any, seconds: float | None) -> Any:
        needs = self.needs[question]
        self.asked.append((question, seconds))
        self.now += needs if seconds is None else min(needs, seconds)

        class Found:
            status = "safe" if seconds is None or needs <= seconds else "unknown"

        return Found()

    def answers(self, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        monkeypatch.setattr(shares.time, "monotonic", lambda: self.now)
        pairs: list[Any] = [(name, None) for name in self.needs]
        found = shares.answer_all(pairs, self.left, self.ask, lambda one, _: self.told.append(str(one)))
        return [one.status for one in found]


def test_a_hard_one_leaves_time_and_gets_what_others_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock({"hard": 1000, "a": 1, "b": 20, "c": 2}, 100)
    assert clock.answers(monkeypatch) == ["unknown", "safe", "safe", "safe"]
    assert clock.told == ["a", "b", "c", "hard"] and clock.now <= 101
    assert clock.asked[0] == ("hard", 25) and clock.asked[-1] == ("hard", 52)
    late = Clock({"harder": 45, "a": 1, "b": 1}, 100)
    assert late.answers(monkeypatch) == ["safe"] * 3 and [one for one, _ in late.asked].count("harder") == 2


def test_only_one_has_all_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Clock({"one": 99}, 100).answers(monkeypatch) == ["safe"]
    assert Clock({"one": 101}, 100).answers(monkeypatch) == ["unknown"]
    without = Clock({"one": 10_000}, None)
    assert without.answers(monkeypatch) == ["safe"] and without.asked == [("one", None)]


def test_without_a_limit_everybody_is_answered_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock({"hard": 500, "a": 1, "b": 15}, None)
    assert clock.answers(monkeypatch) == ["safe"] * 3 and clock.told == ["a", "b", "hard"]
    assert [seconds for name, seconds in clock.asked if name == "b"] == [10, 20]


def test_who_gives_up_early_is_not_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock({"a": 1, "b": 1}, 100)
    monkeypatch.setattr(clock, "ask", lambda *given: type("Found", (), {"status": "unknown"})())
    assert clock.answers(monkeypatch) == ["unknown"] * 2 and clock.told == ["a", "b"]
