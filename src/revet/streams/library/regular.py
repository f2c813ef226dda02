r"""Regular expressions over streams: does what happened since the reset match?

``match("(<a>|<b>)*<c>", {"a": s, …}, reset)``: a letter ``<a>`` is an instant at which the stream a
holds. The expression becomes Glushkov's automaton (V. M. Glushkov, 1961: one state a letter, no empty
moves), and every state a bit.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from revet.streams.language import boolean, declare, disjunction, false, mux
from revet.streams.places import error
from revet.streams.stream import Stream
from revet.streams.types import Bool


@dataclass(frozen=True)
class _Automaton:
    """Of a part: can it be empty, which letters can come first and last."""

    empty: bool
    first: frozenset[int]
    last: frozenset[int]


class _Parser:
    """``letters[p]`` is the name at position p; ``follow[p]`` what may come after it."""

    def __init__(self, text: str) -> None:
        self.tokens = re.findall(r"<\w+>|[()|*+?]|\S", text)
        self.at = 0
        self.letters: list[str] = []
        self.follow: list[set[int]] = []

    def parse(self) -> _Automaton:
        whole = self._choice()
        if self.at < len(self.tokens):
            raise error(f"regular expression: {self.tokens[self.at]!r} is not expected here")
        return whole

    def _peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def _choice(self) -> _Automaton:
        result = self._sequence()
        while self._peek() == "|":
            self.at += 1
            other = self._sequence()
            result = _Automaton(
                result.empty or other.empty, result.first | other.first, result.last | other.last
            )
        return result

    def _sequence(self) -> _Automaton:
        result = _Automaton(True, frozenset(), frozenset())
        while self._peek() not in ("", "|", ")"):
            other = self._repeated()
            for position in result.last:
                self.follow[position] |= other.first
            result = _Automaton(
                result.empty and other.empty,
                result.first | other.first if result.empty else result.first,
                result.last | other.last if other.empty else other.last,
            )
        return result

    def _repeated(self) -> _Automaton:
        result = self._atom()
        while (mark := self._peek()) in ("*", "+", "?") and mark:
            self.at += 1
            if mark != "?":
                for position in result.last:
                    self.follow[position] |= result.first
            result = _Automaton(result.empty or mark != "+", result.first, result.last)
        return result

    def _atom(self) -> _Automaton:
        token = self._peek()
        self.at += 1
        if token == "(":
            inner = self._choice()
            if self._peek() != ")":
                raise error("regular expression: a parenthesis is not closed")
            self.at += 1
            return inner
        if not token.startswith("<") or len(token) < 3:
            raise error(f"regular expression: expected <name> or (, found {token!r}")
        position = len(self.letters)
        self.letters.append(token[1:-1])
        self.follow.append(set())
        return _Automaton(False, frozenset([position]), frozenset([position]))


def match(expression: str, letters: Mapping[str, Any], reset: Any = None) -> Stream:
    """Holds when the instants since the last reset (that one included) match the expression."""
    parser = _Parser(expression)
    whole = parser.parse()
    for name in parser.letters:
        if name not in letters:
            raise error(f"regular expression: no stream is given for <{name}>")
    streams = {name: boolean(stream, f"letter {name}") for name, stream in letters.items()}
    starts = [True] @ false() if reset is None else ([True] @ false()) | boolean(reset, "reset")
    states = [declare(Bool, f"regex{p}") for p in range(len(parser.letters))]
    for position, state in enumerate(states):
        before = [p for p, after in enumerate(parser.follow) if position in after]
        came = disjunction([[False] @ states[p] for p in before])
        enters = mux(starts, position in whole.first, came)
        state.define(streams[parser.letters[position]] & enters)
    return disjunction([states[p] for p in sorted(whole.last)])
