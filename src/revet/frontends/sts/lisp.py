"""The lisp-like notation: ``(system (var x Int) … (init …) (trans …) (prop …))``."""

from __future__ import annotations

from revet.frontends.kit.relations import Formulas
from revet.logic import build as b
from revet.logic.sexpr import Source
from revet.logic.smtlib_ops import OPERATORS
from revet.logic.smtlib_read import Reader
from revet.logic.sorts import BOOL
from revet.logic.terms import Term
from revet.logic.walk import free_vars, substitute
from revet.model.names import is_plain, prime


def read_lisp(text: str, file: str, name: str) -> Formulas:
    return _LispReader(Source(text, file)).system(name)


class _LispReader(Reader):
    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.scope.heads["prime"] = self._prime
        self.scope.heads["/="] = lambda x, y: b.not_(OPERATORS["="](x, y))

    def _prime(self, term: Term) -> Term:
        if any(x.name.endswith("'") for x in free_vars(term)):
            raise ValueError("a primed variable cannot be primed again")
        return substitute(term, {x: prime(x) for x in free_vars(term)})

    def system(self, name: str) -> Formulas:
        tokens = self.tokens
        formulas = Formulas(name)
        tokens.since = tokens.mark()
        if next(tokens.stream, None) != "(" or tokens.next() != "system":
            raise tokens.error("expected '(system'")
        while (token := tokens.next()) != ")":
            if token != "(":
                raise tokens.error("expected a declaration, init, trans or prop in parentheses")
            self._part(tokens.next(), formulas)
        if next(tokens.stream, None) is not None:
            raise tokens.error("expected the end of the text after the system")
        if not formulas.properties:
            raise tokens.source.error("the system has no property ('prop')", 0)
        formulas.assumptions = self.assumptions
        return formulas

    def _part(self, kind: str, formulas: Formulas) -> None:
        if kind == "var":
            name = self._new_name()
            if not is_plain(name) or name[0] == "|":
                raise self.tokens.error(f"{name} cannot be the name of a variable")
            self.declared(name, [], self.sort(self.tokens.next()))
            formulas.variables.append(self.script.variables[name])
        elif kind in ("init", "trans", "prop"):
            where = self.tokens.mark()
            term = self.terms.read(self.tokens.next())
            if term.sort is not BOOL:
                raise self.tokens.error(f"expected a formula, got a term of sort {term.sort}", where)
            if kind != "trans" and any(x.name.endswith("'") for x in free_vars(term)):
                raise self.tokens.error(f"'{kind}' speaks of next values", where)
            if kind == "prop":
                goal = f"property {len(formulas.properties)}"
                formulas.properties[goal] = term
                formulas.positions[goal] = self.tokens.position(where)
            else:
                (formulas.init if kind == "init" else formulas.trans).append(term)
        else:
            raise self.tokens.error(f"expected var, init, trans or prop, not {kind}")
        self._end(kind)
