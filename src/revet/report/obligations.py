"""A certificate about a transition system as SMT-LIB, for solvers to check without Revet.

The script defines the system (``init``, ``step``, ``invariant``), its properties and the certificate's
formula as functions of the state, then asks one query after the other. Every ``check-sat`` must answer
``unsat``. Whoever believes that the definitions are the system's needs to believe nothing else of ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from revet.checker.system import cone
from revet.logic.core import and_, conjunction, disjunction, eq, not_, var
from revet.logic.smtlib_print import declared_sorts, print_term, sort_text, symbol
from revet.logic.walk import conjuncts, free_vars, substitute
from revet.model.names import prime
from revet.result.certificate import Exhausted, KInductive

if TYPE_CHECKING:
    from revet.logic.terms import Term
    from revet.model.system import TransitionSystem
    from revet.result.certificate import Certificate


def smtlib_obligations(system: TransitionSystem, certificate: Certificate) -> str | None:
    """The script; None for kinds of certificates that are not about transition systems."""
    match certificate:
        case KInductive():
            return _Script(system, certificate.formula).k_inductive(certificate)
        case Exhausted():
            return _Script(system, None).exhausted(certificate)
    return None


class _Script:
    def __init__(self, system: TransitionSystem, formula: Term | None) -> None:
        self.system = system
        self.lines = ["(set-logic ALL)", "; every check-sat below must answer unsat"]
        self.declared = 0
        x, i = system.variables, system.inputs
        primed = tuple(prime(one) for one in x)
        step = and_(system.step.guard, *(eq(prime(one), system.step.after(one)) for one in x))
        definitions: list[tuple[str, Sequence[Term], Term]] = [
            ("init", x, system.init), ("invariant", x, system.invariant), ("step", (*x, *i, *primed), step),
        ]
        self.goals = {name: f"property {number}" for number, name in enumerate(system.properties, 1)}
        definitions += [(self.goals[name], x, goal) for name, goal in system.properties.items()]
        if formula is not None:
            definitions.append(("certificate", x, formula))
        self.lines += [f"(declare-sort {name} 0)" for name in declared_sorts([d[2] for d in definitions])]
        for name, parameters, body in definitions:
            if (goal := next((g for g, n in self.goals.items() if n == name), None)) is not None:
                self.lines.append(f"; {' '.join(goal.split())}")
            typed = " ".join(f"({symbol(p.name)} {sort_text(p.sort)})" for p in parameters)
            self.lines.append(f"(define-fun |{name}| ({typed}) Bool {print_term(body)})")

    # -- the certificates' conditions, as in revet.checker.system

    def k_inductive(self, certificate: KInductive) -> str:
        k = certificate.k
        for depth in range(k):
            self._query(f"initiation after {depth} steps", [
                self._at("init", 0), self._at("invariant", 0), *self._path(depth),
                self._not("certificate", depth),
            ], depth)
        before = [self._at("certificate", n) for n in range(k)]
        simple = self._simple(k, certificate.formula) if certificate.simple_path else []
        self._query(f"consecution over {k} steps", [
            self._at("invariant", 0), *before, *self._path(k), *simple, self._not("certificate", k),
        ], k)
        for name in self.system.properties:
            self._query("safety", [
                self._at("invariant", 0), self._at("certificate", 0), self._not(self.goals[name], 0),
            ], 0)
        return "\n".join([*self.lines, ""])

    def exhausted(self, certificate: Exhausted) -> str:
        depth = certificate.depth
        start = [self._at("init", 0), self._at("invariant", 0)]
        for last in range(depth):
            self._query(f"no violation after {last} steps", [
                *start, *self._path(last), f"(not {self._all(last)})",
            ], last)
        if certificate.backward:
            before = [self._all(n) for n in range(depth)]
            self._query(f"no path of {depth} steps ends in a violation", [
                self._at("invariant", 0), *before, *self._path(depth), f"(not {self._all(depth)})",
            ], depth)
        else:
            simple = self._simple(depth) if certificate.simple_path else []
            self._query(f"no run has {depth} steps", [*start, *self._path(depth), *simple], depth)
        return "\n".join([*self.lines, ""])

    # -- formulas about states at times

    def _name(self, variable: Term, time: int) -> str:
        return symbol(f"{variable.name}@{time}")

    def _call(self, function: str, arguments: Sequence[str]) -> str:
        return f"(|{function}| {' '.join(arguments)})" if arguments else f"|{function}|"

    def _at(self, function: str, time: int) -> str:
        return self._call(function, [self._name(x, time) for x in self.system.variables])

    def _not(self, function: str, time: int) -> str:
        return f"(not {self._at(function, time)})"

    def _all(self, time: int) -> str:
        return f"(and true {' '.join(self._at(goal, time) for goal in self.goals.values())})"

    def _path(self, steps: int) -> list[str]:
        found = []
        for n in range(steps):
            arguments = [self._name(x, n) for x in (*self.system.variables, *self.system.inputs)]
            arguments += [self._name(x, n + 1) for x in self.system.variables]
            found += [self._call("step", arguments), self._at("invariant", n + 1)]
        return found

    def _simple(self, last: int, *formulas: Term) -> list[str]:
        """States are pairwise different, and none but the first is initial, as far as it matters."""
        variables = cone(self.system, *formulas)
        inside = set(variables)
        starts = conjunction(
            c for c in conjuncts(and_(self.system.init, self.system.invariant)) if free_vars(c) <= inside
        )

        def at(time: int) -> dict[Term, Term]:
            return {x: var(f"{x.name}@{time}", x.sort) for x in variables}

        found = [print_term(not_(substitute(starts, at(time)))) for time in range(1, last + 1)]
        for late in range(last + 1):
            for early in range(late):
                then, now = at(early), at(late)
                found.append(print_term(disjunction(not_(eq(then[x], now[x])) for x in variables)))
        return found

    def _query(self, title: str, formulas: Sequence[str], last: int) -> None:
        while self.declared <= last:
            for x in (*self.system.variables, *self.system.inputs):
                self.lines.append(f"(declare-const {self._name(x, self.declared)} {sort_text(x.sort)})")
            self.declared += 1
        asserts = [f"(assert {formula})" for formula in formulas]
        self.lines += [f"; {title}", "(push 1)", *asserts, "(check-sat)", "(pop 1)"]

