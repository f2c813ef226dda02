"""Variables that hold the difference of two others, for domains that know the values of single variables.

A token is drawn, copied and counted up, and in the end ``token = copy + 7`` is asked: no variable has a
value that an explicit domain could track, but the difference ``token - copy`` is 0, then 1, then 2. For
each pair of integer variables that the program tests for equality (up to a constant) the automaton gets a
variable *d = x - y*:

* the precondition says *d = x - y*, and every assignment to x or y is followed (``x := x + c``,
  ``x := y + c``: by ``d := d + c``, ``d := c``; anything else by ``d := x - y``);
* an equation about x and y becomes one about d.

Only variables that depend on something drawn are paired: where one has a known value, the difference tells
nothing that the values do not tell.

*d = x - y* holds everywhere, so both automata have the same runs. Back: d is ``x - y`` in formulas, and
traces forget it. The idea is that of symbolic value analysis with the least of symbols (D. Beyer, T.
Lemberger, *Symbolic execution with CEGAR*, ISoLA 2016).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from revet.logic.arith import sub
from revet.logic.core import and_, eq, integer
from revet.logic.linear import linear_form
from revet.logic.sorts import INT
from revet.logic.terms import Op, Term
from revet.logic.walk import free_vars, rewrite, substitute, subterms
from revet.model.cfa import Cfa, Edge
from revet.model.statements import Assign, Assume, Block, Havoc, Statement
from revet.result.certificate import Certificate, LocationInvariants
from revet.result.trace import CfaTrace
from revet.transform.reduction import Reduction, same_draws, unchanged

_MOST = 16  # pairs; those tested first in the text


def differences(cfa: Cfa) -> Reduction:
    """See the module's text."""
    found = dict.fromkeys(pair for edge in cfa.edges for pair in _pairs(edge.statements))
    drawn = _drawn(cfa) if found else set()
    pairs = [(x, y) for x, y in found if x in drawn and y in drawn][:_MOST]
    if not pairs:
        return unchanged(cfa)
    watched = _Differences({(x, y): cfa.fresh("difference", INT) for x, y in pairs})
    made = {edge: watched.edge(edge) for edge in cfa.edges}
    model = replace(
        cfa,
        variables=(*cfa.variables, *watched.names.values()),
        edges=tuple(made.values()),
        precondition=and_(cfa.precondition, *(eq(d, meaning) for d, meaning in watched.meanings.items())),
    )
    original = {new: old for old, new in made.items()}
    return Reduction(
        model,
        lambda trace: _trace_back(cfa, model, original, trace),
        lambda certificate: _certificate_back(watched, certificate),
    )


def _pairs(statements: Iterable[Statement]) -> Iterable[tuple[Term, Term]]:
    for statement in statements:
        if isinstance(statement, Assume):
            for node in subterms(statement.condition):
                form = _equation(node)
                if form is not None:
                    yield form[:2]


def _drawn(cfa: Cfa) -> set[Term]:
    """Variables that may get a value drawn from outside, themselves or through others."""
    fixed = free_vars(cfa.precondition)
    users: dict[Term, set[Term]] = {}
    assigned: set[Term] = set()
    found: set[Term] = set()
    for edge in cfa.edges:
        for statement in edge.statements:
            match statement:
                case Assign(variable, value):
                    assigned.add(variable)
                    for x in free_vars(value):
                        users.setdefault(x, set()).add(variable)
                case Havoc(variable):
                    found.add(variable)
                case Block(relation):
                    found.update(relation.updates)
                case Assume(_):
                    pass
    found.update(x for x in cfa.variables if x not in assigned and x not in fixed)
    stack = list(found)
    while stack:
        for x in users.get(stack.pop(), ()):
            if x not in found:
                found.add(x)
                stack.append(x)
    return found


def _equation(node: Term) -> tuple[Term, Term, int] | None:
    """(x, y, c) if the term says ``x - y = c``; x is older than y."""
    if node.op != Op.EQ or node.args[0].sort is not INT:
        return None
    if {arg.op for arg in node.args} == {Op.VAR, Op.CONST}:
        return None  # ``x = 3``, by far the most frequent
    coefficients, constant = linear_form(sub(*node.args))
    if len(coefficients) != 2 or any(base.op != Op.VAR for base in coefficients):
        return None
    (x, first), (y, second) = coefficients.items()
    if first + second != 0 or abs(first) != 1:
        return None
    return x, y, int(-constant * first)


@dataclass(frozen=True)
class _Differences:
    names: dict[tuple[Term, Term], Term]

    @cached_property
    def meanings(self) -> dict[Term, Term]:
        return {d: sub(x, y) for (x, y), d in self.names.items()}

    def edge(self, edge: Edge) -> Edge:
        statements = self.statements(edge.statements)
        return edge if statements == edge.statements else replace(edge, statements=statements)

    def statements(self, statements: Iterable[Statement]) -> tuple[Statement, ...]:
        made: list[Statement] = []
        for statement in statements:
            match statement:
                case Assume(condition):
                    made.append(Assume(rewrite(condition, self._put)))
                case Assign(variable, value):
                    made += [statement, *self._follow({variable: value})]
                case Havoc(variable):
                    made += [statement, *self._follow({variable: variable})]
                case Block(relation):
                    made += [statement, *self._follow(dict.fromkeys(relation.updates))]
        return tuple(made)

    def _put(self, node: Term) -> Term:
        form = _equation(node)
        if form is None:
            return node
        x, y, constant = form
        d = self.names.get((x, y))
        return node if d is None else eq(d, integer(constant))

    def _follow(self, assigned: dict[Term, Term | None]) -> Iterable[Assign]:
        """What happens to the differences after one assignment (its value) or several (None)."""
        for (x, y), d in self.names.items():
            if x in assigned and y in assigned:
                yield Assign(d, sub(x, y))
            elif x in assigned:
                yield Assign(d, _after(assigned[x], x, y, d, 1))
            elif y in assigned:
                yield Assign(d, _after(assigned[y], y, x, d, -1))


def _after(value: Term | None, variable: Term, other: Term, d: Term, sign: int) -> Term:
    """*d*, which is ``sign * (variable - other)``, after ``variable := value``."""
    if value is not None and value is not variable and free_vars(value) <= {variable, other}:
        coefficients, constant = linear_form(value)
        if coefficients == {variable: 1}:
            return d + integer(sign * int(constant))
        if coefficients == {other: 1}:
            return integer(sign * int(constant))
    return sub(variable, other) if sign > 0 else sub(other, variable)


def _trace_back(cfa: Cfa, model: Cfa, original: dict[Edge, Edge], trace: CfaTrace) -> CfaTrace:
    edges = tuple(original[edge] for edge in trace.edges)
    inputs = tuple(
        same_draws(given, model.relation(new), cfa.relation(old))
        for given, new, old in zip(trace.inputs, trace.edges, edges, strict=True)
    )
    states = tuple({x: state[x] for x in cfa.variables if x in state} for state in trace.states)
    return CfaTrace(trace.locations, states, edges, inputs)


def _certificate_back(watched: _Differences, certificate: Certificate) -> Certificate:
    if not isinstance(certificate, LocationInvariants):
        return certificate
    formulas = {at: substitute(formula, watched.meanings) for at, formula in certificate.formulas.items()}
    return replace(certificate, formulas=formulas)
