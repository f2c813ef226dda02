"""Reads MoXI: SMT-LIB with the commands ``declare-enum-sort``, ``define-system`` and ``check-system``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from revet.frontends.kit.relations import plain_name
from revet.frontends.moxi.json_text import JsonTokens
from revet.frontends.moxi.systems import Instance, Query, Script, System, composed
from revet.logic import build as b
from revet.logic.sexpr import Mark, Nested, Source, Tokens, is_symbol, spelling, unquoted
from revet.logic.smtlib_ops import OPERATORS
from revet.logic.smtlib_read import Reader
from revet.logic.smtlib_terms import CONSTANTS
from revet.logic.sorts import BOOL, ArraySort, Sort, Uninterpreted
from revet.logic.terms import Op, Term
from revet.logic.walk import free_vars, subterms
from revet.model.names import prime

_QUOTED = re.compile(r""";[^\n]*|"(?:[^"]|"")*"|\|([^|]*)\|'?""")
_SMTLIB = (
    "set-logic", "declare-sort", "define-sort", "declare-const", "declare-fun", "define-fun", "set-info",
    "set-option", "exit",
)
_CONDITIONS = (":assumption", ":reachable", ":fairness", ":current")


def read_moxi(text: str, file: str) -> Script:
    """Raises :class:`InputError`."""
    if file.endswith(".json"):
        source = Source(text, file)
        reader = _MoxiReader(source, JsonTokens(source))
    else:
        reader = _MoxiReader(Source(_QUOTED.sub(_prime_inside, text), file))
    reader.run()
    return reader.result()


def _prime_inside(match: re.Match[str]) -> str:
    """``|x|'`` as ``|x'|``, which is one token and as long."""
    return f"|{match[1]}'|" if match[0][0] == "|" and match[0][-1] == "'" else match[0]


@dataclass
class _Signature:
    """The variables of a system or a check while it is read, each with the name it was given."""

    lists: dict[str, tuple[Term, ...]] = field(default_factory=dict)
    spelled: dict[str, Term] = field(default_factory=dict)

    @property
    def variables(self) -> tuple[Term, ...]:
        return tuple(x for variables in self.lists.values() for x in variables)


@dataclass
class _Check:
    """A ``check-system`` while it is read; conditions by label, each with its kind and place."""

    system: System
    names: dict[Term, str]
    conditions: dict[str, tuple[str, Term, Mark]] = field(default_factory=dict)
    queries: dict[str, tuple[list[str], Mark]] = field(default_factory=dict)


class _MoxiReader(Reader):
    def __init__(self, source: Source, tokens: Tokens | None = None) -> None:
        super().__init__(source, tokens)
        self.systems: dict[str, System] = {}
        self.moxi = Script()
        self.checks = 0
        self.scope.heads["!="] = lambda x, y: b.not_(OPERATORS["="](x, y))

    def result(self) -> Script:
        if not self.moxi.queries:
            raise self.tokens.source.error("there is no query ('check-system' with ':query')", 0)
        self.moxi.assumptions = self.assumptions
        return self.moxi

    def command(self, name: str, mark: Mark) -> bool:
        match name:
            case "declare-enum-sort":
                self._enumeration()
            case "define-system":
                self._system()
            case "check-system":
                self._check()
            case _ if name in _SMTLIB:
                return super().command(name, mark)
            case _:
                raise self.tokens.unsupported(f"the command {name} is not supported here", mark)
        return True

    # ------------------------------------------------------------------ global names

    def declared(self, name: str, domain: list[Sort], range_: Sort) -> None:
        if domain:
            raise self.tokens.unsupported("functions with arguments are not supported")
        constant = b.var(f"{name}!const", range_)  # no variable of a system is called so
        self.moxi.constants.append(constant)
        self.scope.names[spelling(name)] = constant

    def _enumeration(self) -> None:
        name = self._symbol()
        mark = self.tokens.mark()
        if name in self._sorts:
            raise self.tokens.error(f"the sort {unquoted(name)} is declared twice", mark)
        sort = self._made(mark, Uninterpreted, unquoted(name))
        if self.tokens.next() != "(":
            raise self.tokens.error("expected the values, in parentheses")
        values: list[str] = []
        while (token := self.tokens.next()) != ")":
            values.append(unquoted(self._new_name(token)))
            self.scope.names[token] = b.const(len(values) - 1, sort)
        if not values:
            raise self.tokens.error(f"the sort {unquoted(name)} has no values")
        self._sorts[name] = sort
        self.moxi.enumerations[sort] = tuple(values)
        self._end("declare-enum-sort")

    def sort(self, token: str) -> Sort:
        found = super().sort(token)
        inside: Sort = found
        while isinstance(inside, ArraySort):
            if inside.index in self.moxi.enumerations or inside.element in self.moxi.enumerations:
                raise self.tokens.unsupported("arrays with enumerated values are not supported")
            inside = inside.element
        return found

    def _formula(self, what: str, primed: Iterable[Term] = ()) -> Term:
        """A formula over variables and, of their next values, those of ``primed``."""
        start = self.tokens.next()
        mark = self.tokens.mark()
        term = self.terms.read(start)
        if term.sort is not BOOL:
            raise self.tokens.error(f"expected a formula after '{what}', not a term of {term.sort}", mark)
        allowed = frozenset(map(prime, primed))
        if any(x.name.endswith("'") and x not in allowed for x in free_vars(term)):
            raise self.tokens.error(f"'{what}' speaks of next values that it may not speak of", mark)
        self._check_values(term, mark)
        return term

    def _check_values(self, term: Term, mark: Mark) -> None:
        """What is said of enumerated values can be said of their numbers."""
        enumerations = self.moxi.enumerations
        for node in subterms(term) if enumerations else ():
            if node.op in (Op.FORALL, Op.EXISTS) and any(x.sort in enumerations for x in node.payload):
                raise self.tokens.unsupported("quantifiers over enumerated values are not supported", mark)
            known = enumerations.get(node.sort) if node.op == Op.CONST else None
            if known is not None and not 0 <= node.payload < len(known):
                raise self.tokens.error(f"there is no value {node.payload} in {node.sort}", mark)

    # ------------------------------------------------------------------ systems

    def _variables(self, signature: _Signature, keyword: str) -> list[tuple[str, Sort]]:
        """The variables after ``:input``, ``:output`` or ``:local``, as they are spelled."""
        if keyword in signature.lists:
            raise self.tokens.error(f"'{keyword}' is given twice")
        found = []
        for x in self._parameters():
            token = spelling(x.name)
            if token in signature.spelled:
                raise self.tokens.error(f"{x.name} is declared twice")
            if token in CONSTANTS or token in OPERATORS:
                raise self.tokens.error(f"{x.name} is a name of SMT-LIB's and cannot be declared")
            signature.spelled[token] = x
            found.append((x.name, x.sort))
        return found

    def _bound(self, signature: _Signature) -> dict[str, Term]:
        """What the names mean: the variables, and with a prime their next values."""
        values = dict(signature.spelled)
        for token, x in signature.spelled.items():
            for primed in (f"{token}'", f"|{unquoted(token)}'|"):
                if primed in values:
                    raise self.tokens.error(f"{unquoted(token)} with a prime is a variable, too")
                values[primed] = prime(x)
        return values

    def _keyword(self, seen: Iterable[str], known: tuple[str, ...], command: str) -> str | None:
        """The next keyword of a command, or None at its end."""
        token = self.tokens.next()
        if token == ")":
            return None
        if token not in known:
            raise self.tokens.error(f"expected one of {', '.join(known)} or the end of {command}")
        if token in (":input", ":output", ":local") and any(seen):
            raise self.tokens.error(f"'{token}' must come before the formulas")
        return token

    def _system(self) -> None:
        token = self._symbol()
        name, mark = unquoted(token), self.tokens.mark()
        if token in self.systems:
            raise self.tokens.error(f"two systems are called {name}", mark)
        signature, taken = _Signature(), set[str]()
        formulas: dict[str, Term] = {}
        instances: dict[str, Instance] = {}
        saved = None
        known = (":input", ":output", ":local", ":subsys", ":init", ":trans", ":inv")
        while (keyword := self._keyword((*formulas, *instances), known, "define-system")) is not None:
            if keyword in (":input", ":output", ":local"):
                made = []
                for spelled, sort in self._variables(signature, keyword):
                    x = b.var(plain_name(spelled, taken), sort)
                    signature.spelled[spelling(spelled)] = x
                    made.append(x)
                signature.lists[keyword] = tuple(made)
                continue
            if saved is None:
                saved = self.scope.bind(self._bound(signature))
            if keyword == ":subsys":
                self._instance(signature, instances)
                continue
            if keyword in formulas:
                raise self.tokens.error(f"'{keyword}' is given twice")
            formulas[keyword] = self._formula(keyword, signature.variables if keyword == ":trans" else ())
        self.scope.unbind(saved or [])
        inputs, outputs, locals_ = (signature.lists.get(kind, ()) for kind in (":input", ":output", ":local"))
        init, trans, inv = (
            (formulas[kind],) if kind in formulas else () for kind in (":init", ":trans", ":inv")
        )
        own = System(name, inputs, outputs, locals_, (), init, trans, inv)
        try:
            self.systems[token] = composed(own, list(instances.values()))
        except OverflowError as error:
            raise self.tokens.unsupported(str(error), mark) from None

    def _instance(self, signature: _Signature, instances: dict[str, Instance]) -> None:
        """``(name (System x … y …))``."""
        start = self.tokens.next()
        mark = self.tokens.mark()
        match self.tokens.nested(start):
            case [str(name), [str(kind), *actuals]] if is_symbol(name):
                pass
            case _:
                raise self.tokens.error("expected a name and a system with its variables", mark)
        if name in instances:
            raise self.tokens.error(f"two subsystems are called {unquoted(name)}", mark)
        if kind not in self.systems:
            raise self.tokens.error(f"there is no system {unquoted(kind)}", mark)
        system = self.systems[kind]
        formals = (*system.inputs, *system.outputs)
        if len(actuals) != len(formals):
            what = f"{system.name} has {len(formals)} inputs and outputs, not {len(actuals)}"
            raise self.tokens.error(what, mark)
        terms = []
        for number, (formal, actual) in enumerate(zip(formals, actuals, strict=True)):
            term = signature.spelled.get(actual) if isinstance(actual, str) else None
            if term is None:
                raise self.tokens.error(f"{_shown(actual)} is not a variable of this system", mark)
            if term.sort is not formal.sort:
                what = f"{term.name} has sort {term.sort}, but {formal.name} has sort {formal.sort}"
                raise self.tokens.error(what, mark)
            if number >= len(system.inputs) and term in signature.lists.get(":input", ()):
                raise self.tokens.error(f"{term.name} is an input, not for an output of {system.name}", mark)
            terms.append(term)
        instances[name] = Instance(unquoted(name), system, tuple(terms))

    # ------------------------------------------------------------------ checks

    def _check(self) -> None:
        token = self._symbol()
        if token not in self.systems:
            raise self.tokens.error(f"there is no system {unquoted(token)}")
        system = self.systems[token]
        self.checks += 1
        signature, check = _Signature(), _Check(system, {})
        own = {":input": system.inputs, ":output": system.outputs, ":local": system.locals}
        known = (*own, *_CONDITIONS, ":query", ":queries")
        saved = None
        while (
            keyword := self._keyword((*check.conditions, *check.queries), known, "check-system")
        ) is not None:
            if keyword in own:
                given = self._variables(signature, keyword)
                mine = own[keyword]
                if [sort for _, sort in given] != [x.sort for x in mine]:
                    wanted = ", ".join(f"{x.name} of sort {x.sort}" for x in mine) or "nothing"
                    raise self.tokens.error(f"'{keyword}' of {system.name} is {wanted}")
                signature.lists[keyword] = mine
                for (spelled, _), x in zip(given, mine, strict=True):
                    signature.spelled[spelling(spelled)] = x
                    check.names[x] = spelled
                continue
            if saved is None:
                saved = self.scope.bind(self._bound(signature))
            if keyword in _CONDITIONS:
                self._condition(check, keyword)
            else:
                self._queries(check, keyword)
        self.scope.unbind(saved or [])
        for label, (members, mark) in check.queries.items():
            self.moxi.queries.append(self._query(check, label, members, mark))

    def _condition(self, check: _Check, keyword: str) -> None:
        """``(label formula)``."""
        if self.tokens.next() != "(":
            raise self.tokens.error(f"expected a name and a formula after '{keyword}', in parentheses")
        label = self._symbol()
        mark = self.tokens.mark()
        if label in check.conditions:
            raise self.tokens.error(f"two conditions are called {unquoted(label)}")
        system = check.system
        primed = {":assumption": system.inputs, ":fairness": system.inputs, ":reachable": system.variables}
        check.conditions[label] = (keyword, self._formula(keyword, primed.get(keyword, ())), mark)
        self._end(keyword)

    def _queries(self, check: _Check, keyword: str) -> None:
        start = self.tokens.next()
        mark = self.tokens.mark()
        nested = self.tokens.nested(start)
        given = [nested] if keyword == ":query" else nested
        if not isinstance(given, list) or not given:
            raise self.tokens.error(f"expected queries after '{keyword}', in parentheses", mark)
        if len(given) > 1 and self.moxi.constants:
            why = "several queries about the same value of a declared constant are not supported"
            raise self.tokens.unsupported(f"{why}: use ':query'", mark)
        for one in given:
            match one:
                case [str(label), list(members)] if is_symbol(label) and all(map(is_symbol, members)):
                    pass
                case _:
                    raise self.tokens.error("expected a name and the names of conditions", mark)
            if label in check.queries:
                raise self.tokens.error(f"two queries are called {unquoted(label)}", mark)
            check.queries[label] = ([str(member) for member in members], mark)

    def _query(self, check: _Check, label: str, members: list[str], mark: Mark) -> Query:
        found: dict[str, dict[str, Term]] = {kind: {} for kind in _CONDITIONS}
        for member in members:
            if member not in check.conditions:
                what = f"there is no condition {unquoted(member)} for the query {unquoted(label)}"
                raise self.tokens.error(what, mark)
            kind, formula, _ = check.conditions[member]
            found[kind][unquoted(member)] = formula
        if found[":fairness"]:
            raise self.tokens.unsupported("fairness is not supported: queries are about finite runs", mark)
        if len(found[":current"]) > 1:
            raise self.tokens.error(f"the query {unquoted(label)} has two initiality conditions", mark)
        init = tuple(found[":current"].values()) or check.system.init
        taken = {query.name for query in self.moxi.queries}
        name = unquoted(label) if label not in taken else f"{check.system.name}.{unquoted(label)}"
        return Query(
            plain_name(name, taken), self.checks, check.system, check.names, init,
            tuple(found[":assumption"].values()), found[":reachable"], self.tokens.position(mark),
        )


def _shown(nested: Nested) -> str:
    return unquoted(nested) if isinstance(nested, str) else "(…)"
