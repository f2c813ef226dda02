"""Reads VMT-LIB."""

from __future__ import annotations

from revet.frontends.kit.relations import Formulas, plain_name
from revet.logic.core import var
from revet.logic.sexpr import Mark, Nested, Source, is_symbol, unquoted
from revet.logic.smtlib_read import Reader
from revet.logic.sorts import BOOL, Sort
from revet.logic.terms import TRUE, Term
from revet.logic.walk import free_vars, substitute
from revet.model.names import is_plain, prime

_IGNORED = (":named", ":predicate", ":source")


def read_vmt(text: str, file: str, name: str) -> Formulas:
    reader = _VmtReader(Source(text, file))
    reader.run()
    return reader.formulas(name)


class _VmtReader(Reader):
    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.nexts: dict[Term, tuple[Term, Mark]] = {}
        self.init: list[tuple[Term, Mark]] = []
        self.trans: list[Term] = []
        self.goals: dict[str, tuple[Term, Mark]] = {}

    def command(self, name: str, mark: Mark) -> bool:
        more = super().command(name, mark)
        if name == "assert" and self.script.assertions.pop() is not TRUE:
            raise self.tokens.unsupported("assertions have no meaning in VMT-LIB", mark)
        return more

    def declared(self, name: str, domain: list[Sort], range_: Sort) -> None:
        if domain:
            raise self.tokens.unsupported("functions with arguments are not supported")
        super().declared(name, domain, range_)

    def annotated(self, term: Term, attributes: list[tuple[str, Nested | None]]) -> Term:
        for keyword, value in attributes:
            match keyword:
                case ":next":
                    self._next(term, value)
                case ":init" | ":trans":
                    if value != "true" or term.sort is not BOOL:
                        raise self.tokens.error(f"expected a formula and '{keyword} true'")
                    if keyword == ":init":
                        self.init.append((term, self.tokens.mark()))
                    else:
                        self.trans.append(term)
                case ":invar-property":
                    if not isinstance(value, str) or not value.isdecimal() or term.sort is not BOOL:
                        raise self.tokens.error("expected a formula and ':invar-property' with a number")
                    if f"property {value}" in self.goals:
                        raise self.tokens.error(f"there are two properties {value}")
                    self.goals[f"property {value}"] = (term, self.tokens.mark())
                case ":live-property":
                    raise self.tokens.unsupported("liveness properties are not supported")
                case _ if keyword not in _IGNORED:
                    raise self.tokens.unsupported(f"the annotation {keyword} is not known")
        return term

    def _next(self, term: Term, value: Nested | None) -> None:
        new = self.script.variables.get(unquoted(value)) if isinstance(value, str) else None
        if new is None and isinstance(value, str) and is_symbol(value) and value not in self.scope.names:
            self.declared(unquoted(value), [], term.sort)  # need not be declared by itself
            new = self.script.variables[unquoted(value)]
        if not term.is_var or new is None or term.sort is not new.sort:
            raise self.tokens.error("':next' joins two declared constants of one sort")
        if term in self.nexts and self.nexts[term][0] is not new:
            raise self.tokens.error(f"{term.name} has two next values")
        self.nexts[term] = (new, self.tokens.mark())

    def formulas(self, name: str) -> Formulas:
        copies = {new: x for x, (new, _) in self.nexts.items()}
        for x, (new, mark) in self.nexts.items():
            if new in self.nexts or copies[new] is not x:
                what = f"{new.name} can be the next value of one variable only, and is no variable itself"
                raise self.tokens.error(what, mark)
        if not self.goals:
            raise self.tokens.source.error("there is no ':invar-property'", 0)
        old = [x for x in self.script.variables.values() if x not in copies]
        names = _plain(old)
        renamed = {**names, **{new: prime(names[x]) for new, x in copies.items()}}
        known = frozenset(old)
        for goal, (term, mark) in self.goals.items():
            if not free_vars(term) <= known:
                raise self.tokens.unsupported(f"{goal} speaks of next values", mark)
        for term, mark in self.init:
            if not free_vars(term) <= known:
                raise self.tokens.error("the initial condition speaks of next values", mark)
        return Formulas(
            name, list(names.values()),
            [substitute(term, renamed) for term, _ in self.init],
            [substitute(term, renamed) for term in self.trans],
            [],
            {goal: substitute(term, renamed) for goal, (term, _) in self.goals.items()},
            {goal: self.tokens.position(mark) for goal, (_, mark) in self.goals.items()},
            self.assumptions,
        )


def _plain(variables: list[Term]) -> dict[Term, Term]:
    """Variables whose names have no characters that are ours."""
    taken = {x.name for x in variables}
    found: dict[Term, Term] = {}
    for x in variables:
        found[x] = x if is_plain(x.name) else var(plain_name(x.name, taken), x.sort)
    return found
