"""SPA's automata, ``.aut``: the control-flow automata of Penelle, *Software
Verification, Part 1* (lecture notes, Bordeaux 2024), section 3.2.

::

    # a comment
    Name
    {
        var x, y;
        initial q_0;
        final q_bad;
        from q_0
        | x := 2*y + 1 --> q_1;
        | x >= y       --> q_bad;
        | skip         --> q_0;
    }

Variables are integers with any initial value. ``final`` locations are the targets of the
reachability question that SPA asks ("does there exist a faulty run?"): they are the error
locations here. Beyond SPA's own syntax, guards may use ``&& || !`` (or ``and or not``), an edge
may say ``havoc x``, and several locations may be ``final``.

``/`` and ``%`` are integer division and remainder as SMT solvers have them (the remainder is
never negative); an edge on which a division by zero would be evaluated cannot be taken (seed
003, 3.2.2 and 3.3: the side conditions).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from revet.errors import InputError
from revet.frontends.kit.automaton import Automaton, AutomatonProgram, Step, Transition
from revet.frontends.kit.parsing import END, Lexer, Source, Tokens
from revet.frontends.kit.syntax import INTEGERS, OPERATORS, ExpressionParser
from revet.frontends.kit.text import read_text
from revet.logic.sorts import INT

_KEYWORDS = ("var", "initial", "final", "from", "skip", "havoc", "and", "or", "not")
_SYMBOLS = ("{", "}", "(", ")", ",", ";", "|", "-->", ":=", *OPERATORS)
_LEXER = Lexer(
    classes=[("a number", r"\d+"), ("a name", r"[A-Za-z_][\w'@]*")],
    symbols=_SYMBOLS,
    keywords=_KEYWORDS,
    comments=(r"#[^\n]*", r"//[^\n]*"),
)


def load(paths: Sequence[Path], options: Mapping[str, Any]) -> AutomatonProgram:
    """Read one automaton."""
    if len(paths) != 1:
        raise InputError(f"{paths[1]}: an automaton is one file")
    source = Source(str(paths[0]), read_text(paths[0]))
    return AutomatonProgram(_Parser(source).automaton(), paths[0], "aut", "blocking")


class _Parser:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.tokens = Tokens(source, _LEXER)
        self.expressions = ExpressionParser(self.tokens, INTEGERS)

    def automaton(self) -> Automaton:
        tokens = self.tokens
        if tokens.next.kind == END:
            raise InputError(f"{self.source.file}: an empty file, not an automaton")
        name = tokens.expect("a name", "for the automaton")
        automaton = Automaton(name.text, self.source)
        tokens.expect("{")
        initial: str | None = None
        while not tokens.accept("}"):
            start = tokens.next
            if tokens.accept("var"):
                for token in self._names("a name"):
                    automaton.declare(token.text, INT, token.offset)
            elif tokens.accept("initial"):
                token = tokens.expect("a name", "of a location")
                tokens.expect(";")
                if initial is not None:
                    raise self.source.error("a second initial location", token.offset)
                initial = self._location(automaton, token.text, token.offset)
            elif tokens.accept("final"):
                for token in self._names("a name"):
                    automaton.errors.append(self._location(automaton, token.text, token.offset))
            elif start.kind == "from":
                self._from(automaton)
            else:
                raise tokens.unexpected("var", "initial", "final", "from", "}")
        if tokens.next.kind != END:
            raise tokens.unexpected("the end", where="after the automaton")
        if initial is None:
            raise self.source.error(f"automaton {name.text} has no initial location", name.offset)
        automaton.initial = initial
        return automaton

    def _names(self, kind: str) -> list[Any]:
        found = [self.tokens.expect(kind)]
        while self.tokens.accept(","):
            found.append(self.tokens.expect(kind))
        self.tokens.expect(";")
        return found

    def _location(self, automaton: Automaton, name: str, offset: int) -> str:
        automaton.locations.setdefault(name, offset)
        return name

    def _from(self, automaton: Automaton) -> None:
        tokens = self.tokens
        tokens.expect("from")
        token = tokens.expect("a name", "of a location")
        # The place where its edges leave says more about a location than its first mention.
        automaton.locations[token.text] = token.offset
        while tokens.accept("|"):
            step = self._step()
            tokens.expect("-->")
            target = tokens.expect("a name", "of a location")
            tokens.expect(";")
            self._location(automaton, target.text, target.offset)
            automaton.transitions.append(Transition(token.text, target.text, (step,), step.offset))

    def _step(self) -> Step:
        tokens = self.tokens
        start = tokens.next
        if tokens.accept("skip"):
            return Step("skip", start.offset, tokens.last.end)
        if tokens.accept("havoc"):
            name = tokens.expect("a name")
            return Step("havoc", start.offset, name.end, name.text)
        if start.kind == "a name" and tokens.peek(1).kind == ":=":
            tokens.advance()
            tokens.advance()
            value = self.expressions.expression()
            return Step("assign", start.offset, tokens.last.end, start.text, value)
        guard = self.expressions.expression()
        return Step("assume", start.offset, tokens.last.end, "", guard)
