"""Cooper's quantifier elimination for linear integer arithmetic.

D. C. Cooper, *Theorem proving in arithmetic without multiplication* (Machine Intelligence 7,
1972). To eliminate x from ``exists x. phi``:

1. **Standard form**: negations are pushed to the atoms, and every atom is one of ``0 < t``,
   ``0 = t``, ``0 != t``, ``d | t``, ``not d | t`` with a linear t (:func:`_literals`).
2. **Unit coefficients**: with l the least common multiple of x's coefficients, every atom is
   multiplied so that x occurs as ±l·x, and l·x is renamed to x, which adds ``l | x``
   (:class:`_Standard`).
3. **Boundary points**: let m be the least common multiple of the divisors. If phi has a solution,
   then either there are arbitrarily small ones, found among 1 … m in phi with its bounds
   replaced by their truth at minus infinity, or there is one at most m above a point where some
   literal starts to hold (:attr:`_Standard.boundary`)::

       exists x. phi  <=>  OR_j phi_-inf[j]  or  OR_j OR_b phi[b + j]      j = 1 … m

:func:`eliminate` gives the whole disjunction. :func:`project` gives the one disjunct that holds
in a model, which is all that generalising a counterexample needs: a cube stays a cube.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from revet.engines.ic3_qe.linear import Linear, NotLinear, common_multiple, linear, normal_literal
from revet.logic.arith import lt, mod
from revet.logic.core import and_, conjunction, disjunction, eq, integer, not_, or_, var
from revet.logic.sorts import BOOL, INT
from revet.logic.terms import FALSE, TRUE, Op, Term
from revet.logic.values import Value
from revet.logic.walk import free_vars, rewrite


class Kind(Enum):
    POSITIVE = "0 < t"
    ZERO = "0 = t"
    NONZERO = "0 != t"
    DIVIDES = "d | t"
    NOT_DIVIDES = "not d | t"


@dataclass(frozen=True)
class Atom:
    """One literal in standard form."""

    kind: Kind
    t: Linear
    divisor: int = 1

    def term(self) -> Term:
        value = self.t.term()
        match self.kind:
            case Kind.POSITIVE:
                return normal_literal(lt(integer(0), value))
            case Kind.ZERO:
                return normal_literal(eq(value, integer(0)))
            case Kind.NONZERO:
                return not_(normal_literal(eq(value, integer(0))))
            case Kind.DIVIDES:
                return eq(mod(self._reduced(), integer(self.divisor)), integer(0))
            case Kind.NOT_DIVIDES:
                return not_(eq(mod(self._reduced(), integer(self.divisor)), integer(0)))

    def _reduced(self) -> Term:
        """t with its numbers taken modulo the divisor."""
        d = self.divisor
        factors = {x: int(f) % d for x, f in self.t.coefficients.items() if int(f) % d}
        return Linear(factors, int(self.t.constant) % d).term()

    @property
    def divisibility(self) -> bool:
        return self.kind in (Kind.DIVIDES, Kind.NOT_DIVIDES)


def eliminate(variable: Term, formula: Term) -> Term:
    """A quantifier-free formula equivalent to ``exists variable. formula``.

    Raises :class:`NotLinear` outside of Presburger arithmetic.
    """
    if variable not in free_vars(formula):
        return formula
    phi = _Standard.of(variable, formula)
    period = phi.period
    disjuncts = [phi.at_minus_infinity(j) for j in range(1, period + 1)]
    for point in phi.boundary:
        disjuncts += [phi.at(point.shifted(j)) for j in range(1, period + 1)]
    return disjunction(disjuncts)


def project(variables: Sequence[Term], cube: Sequence[Term], model: Mapping[Term, Value]) -> list[Term]:
    """Literals without ``variables`` that hold in the model and imply ``exists variables. cube``."""
    literals = list(cube)
    for variable in variables:
        touched = [literal for literal in literals if variable in free_vars(literal)]
        if touched:
            rest = [literal for literal in literals if variable not in free_vars(literal)]
            literals = [*rest, *_one_disjunct(variable, touched, model)]
    return list(dict.fromkeys(literals))


def _one_disjunct(variable: Term, cube: list[Term], model: Mapping[Term, Value]) -> list[Term]:
    """Cooper's disjunct for the greatest boundary point below the model's value."""
    phi = _Standard.of(variable, conjunction(cube))
    number = model[variable]
    assert isinstance(number, int)
    here = phi.scale * number
    below = [(point.value(model), point) for point in phi.boundary]
    candidates = [(at, point) for at, point in below if at < here]
    if not candidates:
        result = phi.at_minus_infinity((here - 1) % phi.period + 1)
    else:
        at, point = max(candidates, key=lambda pair: pair[0])
        result = phi.at(point.shifted((here - int(at) - 1) % phi.period + 1))
    return list(result.args) if result.op == Op.AND else [result]


# Stands for "l divides x" in a skeleton; x is the renamed variable there, so that the literal
# itself could be confused with one of the formula's.
_RENAMED = var("cooper!renamed", BOOL)


class _Standard:
    """A formula in standard form whose variable has only coefficients 1 and -1 (or 0)."""

    def __init__(self, variable: Term, skeleton: Term, atoms: dict[Term, Atom], scale: int) -> None:
        self.variable = variable
        self.scale = scale
        self._skeleton = skeleton
        self._atoms = atoms

    @classmethod
    def of(cls, variable: Term, formula: Term) -> _Standard:
        skeleton, atoms = _literals(formula)
        concerned = {leaf: atom for leaf, atom in atoms.items() if atom.t[variable]}
        scale = common_multiple([atom.t[variable] for atom in concerned.values()])
        for leaf, atom in concerned.items():
            atoms[leaf] = _unit(atom, variable, scale)
        if scale > 1:
            atoms[_RENAMED] = Atom(Kind.DIVIDES, Linear({variable: 1}), scale)
            skeleton = and_(skeleton, _RENAMED)
        return cls(variable, skeleton, atoms, scale)

    @property
    def _concerned(self) -> list[Atom]:
        return [atom for atom in self._atoms.values() if atom.t[self.variable]]

    @property
    def period(self) -> int:
        return common_multiple([atom.divisor for atom in self._concerned if atom.divisibility])

    @property
    def boundary(self) -> list[Linear]:
        """Points just below which a literal turns from false to true."""
        points: dict[Term, Linear] = {}
        for atom in self._concerned:
            sign = atom.t[self.variable]
            rest = atom.t.without(self.variable)
            if atom.kind is Kind.POSITIVE and sign == 1:
                point = rest * -1
            elif atom.kind is Kind.ZERO:
                point = (rest * (-1 if sign == 1 else 1)).shifted(-1)
            elif atom.kind is Kind.NONZERO:
                point = rest * (-1 if sign == 1 else 1)
            else:
                continue
            points.setdefault(point.term(), point)
        return list(points.values())

    def at(self, value: Linear) -> Term:
        """phi with the variable replaced."""
        return self._with(lambda atom: replace(atom, t=atom.t.replace(self.variable, value)).term())

    def at_minus_infinity(self, j: int) -> Term:
        """phi for arbitrarily small values that are congruent to j."""

        def limit(atom: Atom) -> Term:
            sign = atom.t[self.variable]
            if not sign or atom.divisibility:
                return replace(atom, t=atom.t.replace(self.variable, Linear({}, j))).term()
            if atom.kind is Kind.POSITIVE:
                return TRUE if sign == -1 else FALSE
            return FALSE if atom.kind is Kind.ZERO else TRUE

        return self._with(limit)

    def _with(self, literal: Callable[[Atom], Term]) -> Term:
        atoms = self._atoms
        return rewrite(self._skeleton, _identity, {leaf: literal(atom) for leaf, atom in atoms.items()})


def _identity(term: Term) -> Term:
    return term


def _unit(atom: Atom, variable: Term, scale: int) -> Atom:
    """The atom multiplied so that the variable's coefficient is ±scale, renamed to ±1."""
    factor = scale // abs(int(atom.t[variable]))
    t = atom.t * factor
    sign = 1 if t[variable] > 0 else -1
    t = t.without(variable) + Linear({variable: sign})
    return Atom(atom.kind, t, atom.divisor * factor if atom.divisibility else 1)


def _literals(formula: Term) -> tuple[Term, dict[Term, Atom]]:
    """Negation normal form, and the standard form of each literal in it.

    Literals without integers (Boolean variables) are leaves that stay as they are.
    """
    atoms: dict[Term, Atom] = {}
    done: dict[tuple[Term, bool], Term] = {}
    stack = [(formula, True)]
    while stack:
        node, positive = key = stack[-1]
        if key in done:
            stack.pop()
            continue
        parts = _parts(node, positive)
        if parts is None:
            done[key] = _leaf(node, positive, atoms)
            continue
        make, below = parts
        missing = [part for part in below if part not in done]
        if missing:
            stack.extend(missing)
        else:
            done[key] = make(*(done[part] for part in below))
    return done[(formula, True)], atoms


_Parts = tuple[Callable[..., Term], list[tuple[Term, bool]]]


def _parts(node: Term, positive: bool) -> _Parts | None:
    """How a connective is built from its (signed) arguments; None for an atom."""
    if node.op == Op.NOT:
        return (lambda inner: inner), [(node.args[0], not positive)]
    if node.op in (Op.AND, Op.OR):
        make = and_ if (node.op == Op.AND) is positive else or_
        return make, [(arg, positive) for arg in node.args]
    if node.op == Op.ITE or (node.op == Op.EQ and node.args[0].sort is BOOL):
        condition = node.args[0]
        then, otherwise = (
            ((node.args[1], positive), (node.args[2], positive))
            if node.op == Op.ITE
            else ((node.args[1], positive), (node.args[1], not positive))
        )
        choose: Callable[..., Term] = lambda no, t, yes, e: and_(or_(no, t), or_(yes, e))  # noqa: E731
        return choose, [(condition, False), then, (condition, True), otherwise]
    return None


def _leaf(node: Term, positive: bool, atoms: dict[Term, Atom]) -> Term:
    if node.op in (Op.CONST, Op.VAR):
        return node if positive else not_(node)
    atom = _atom(node, positive)
    leaf = atom.term()
    if leaf.op != Op.CONST:
        atoms[leaf] = atom
    return leaf


def _atom(node: Term, positive: bool) -> Atom:
    if node.op not in (Op.LE, Op.LT, Op.EQ) or node.args[0].sort is not INT:
        raise NotLinear(f"{node!r} is not in Presburger arithmetic")
    left, right = node.args
    if node.op == Op.EQ:
        if left.op == Op.MOD and left.args[1].op == Op.CONST and right.op == Op.CONST:
            divisor, remainder = abs(left.args[1].payload), right.payload
            if 0 <= remainder < divisor:
                t = linear(left.args[0]).shifted(-remainder)
                return Atom(Kind.DIVIDES if positive else Kind.NOT_DIVIDES, t, divisor)
        return Atom(Kind.ZERO if positive else Kind.NONZERO, linear(left) - linear(right))
    gap = linear(right) - linear(left)  # left <= right: 0 < gap + 1
    if node.op == Op.LE:
        return Atom(Kind.POSITIVE, gap.shifted(1) if positive else gap * -1)
    return Atom(Kind.POSITIVE, gap if positive else (gap * -1).shifted(1))
