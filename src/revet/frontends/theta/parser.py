"""Parser of THETA's automata: declarations, locations, edges, statements."""

from __future__ import annotations

from revet.errors import InputError
from revet.frontends.kit.automaton import Automaton, Step, Transition
from revet.frontends.kit.parsing import END, Source, Token, Tokens
from revet.frontends.kit.syntax import ExpressionParser
from revet.frontends.kit.theta_notation import GRAMMAR, LEXER, type_
from revet.logic.sorts import Sort


def parse(source: Source) -> Automaton:
    return _Parser(source).specification()


class _Parser:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.tokens = Tokens(source, LEXER)
        self.expressions = ExpressionParser(self.tokens, GRAMMAR)
        self.globals: list[tuple[Token, Sort]] = []
        self.ends: list[Token] = []

    def specification(self) -> Automaton:
        tokens = self.tokens
        if tokens.next.kind == END:
            raise InputError(f"{self.source.file}: an empty file, not an automaton")
        processes: list[tuple[Token, bool, Automaton]] = []
        while tokens.next.kind != END:
            if tokens.accept("var"):
                self.globals.append(self._declaration())
                continue
            start = tokens.next
            main = tokens.accept("main") is not None
            if tokens.next.kind != "process":
                raise tokens.unexpected("process") if main else tokens.unexpected("var", "main process")
            processes.append((start, main, self._process()))
        chosen = [process for process in processes if process[1]] or processes
        if not chosen:
            raise InputError(f"{self.source.file}: no process is defined")
        if len(chosen) > 1:
            raise self.source.error("more than one process; mark one as main", chosen[1][0].offset)
        automaton = chosen[0][2]
        for name, sort in self.globals:
            automaton.declare(name.text, sort, name.offset)
        return automaton

    def _declaration(self) -> tuple[Token, Sort]:
        name = self.tokens.expect("a name")
        self.tokens.expect(":")
        return name, type_(self.expressions)

    def _process(self) -> Automaton:
        tokens = self.tokens
        tokens.expect("process")
        name = tokens.expect("a name", "of the process")
        automaton = Automaton(name.text, self.source)
        if tokens.accept("("):
            while not tokens.accept(")"):
                self._declare(automaton)
                if tokens.next.kind != ")":
                    tokens.expect(",")
        tokens.expect("{")
        self.ends = []
        while not tokens.accept("}"):
            self._item(automaton)
        for end in self.ends:
            if end.text not in automaton.locations:
                raise self.source.error(f"unknown location {end.text}", end.offset)
        if automaton.initial is None:
            raise self.source.error(f"process {name.text} has no init location", name.offset)
        return automaton

    def _declare(self, automaton: Automaton) -> None:
        name, sort = self._declaration()
        automaton.declare(name.text, sort, name.offset)

    def _item(self, automaton: Automaton) -> None:
        tokens = self.tokens
        token = tokens.next
        if tokens.accept("var"):
            self._declare(automaton)
        elif token.kind in ("init", "final", "error", "loc"):
            self._location(automaton)
        elif token.kind == "a name":
            self._edge(automaton)
        else:
            raise tokens.unexpected("var", "loc", "an edge", "}")

    def _location(self, automaton: Automaton) -> None:
        tokens = self.tokens
        kind = tokens.advance()
        if kind.kind != "loc":
            tokens.expect("loc")
        name = tokens.expect("a name", "of a location")
        if name.text in automaton.locations:
            raise self.source.error(f"location {name.text} is declared twice", name.offset)
        automaton.locations[name.text] = name.offset
        if kind.kind == "init":
            if automaton.initial is not None:
                raise self.source.error("a second init location", name.offset)
            automaton.initial = name.text
        elif kind.kind == "error":
            automaton.errors.append(name.text)

    def _edge(self, automaton: Automaton) -> None:
        tokens = self.tokens
        source = tokens.advance()
        tokens.expect("->")
        target = tokens.expect("a name", "of a location")
        self.ends += [source, target]
        steps: list[Step] = []
        if tokens.accept("{"):
            while not tokens.accept("}"):
                steps.append(self._step())
                while tokens.accept(";"):
                    pass
        automaton.transitions.append(Transition(source.text, target.text, tuple(steps), source.offset))

    def _step(self) -> Step:
        tokens = self.tokens
        start = tokens.next
        if tokens.accept("havoc"):
            name = tokens.expect("a name")
            return Step("havoc", start.offset, name.end, name.text)
        if tokens.accept("assume"):
            condition = self.expressions.expression()
            return Step("assume", start.offset, tokens.last.end, "", condition)
        if start.kind == "return":
            raise self.source.unsupported("return is not supported", start.offset)
        if start.kind != "a name":
            raise tokens.unexpected("a statement", "}")
        tokens.advance()
        tokens.expect(":=", "after the variable")
        value = self.expressions.expression()
        return Step("assign", start.offset, tokens.last.end, start.text, value)
