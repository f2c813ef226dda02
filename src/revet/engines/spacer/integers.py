"""Horn clauses over bit-vectors as if these were integers: what programs compute rarely wraps around.

Spacer finds models of linear arithmetic that it does not find for bit-vectors. So the clauses are read with
signed values and without overflow, and what comes back is translated: a model to bit-vectors wide enough for
its sums, a derivation to the values' bits. Neither need be right where arithmetic does wrap around, so both
are checked here against the clauses themselves; if they are refused, the question is put again with integers
that wrap around, which says the same as the bit-vectors but is harder to solve.

Equations hold modulo a power of two where they hold at all, comparisons do not: so equations are tried with
the arguments' own width first, and then as wide as comparisons.
"""

from __future__ import annotations

from collections.abc import Callable

from revet.checker.certificate import check_certificate
from revet.checker.replay import ReplayError, replay
from revet.engines.common.context import Context
from revet.engines.spacer.clauses import check_clauses
from revet.errors import Unsupported
from revet.events import Note
from revet.logic import build as b
from revet.logic.sorts import BOOL, INT, BitVecSort, Sort
from revet.logic.terms import FunctionSymbol, Op, Term
from revet.logic.values import Value
from revet.logic.walk import bottom_up, rebuild
from revet.model.horn import HornClause, HornSystem
from revet.result import Safe, Unknown, Unsafe, Verdict
from revet.result.certificate import HornModel
from revet.result.trace import Derivation, DerivationStep
from revet.smt.z3 import Z3

_MOST_PLACES = 128  # of a shift
_SPARE = 16  # bits more than the arguments have, for sums and multiples of them


def check_as_integers(
    system: HornSystem, parameters: dict[str, bool], context: Context, *, preprocess: bool
) -> Verdict:
    """Spacer's answer for the clauses read as integers, if it holds for bit-vectors, too."""
    verdict = _attempt(system, parameters, context, preprocess=preprocess, wraps=False)
    if isinstance(verdict, Unknown):
        context.observe(Note("spacer", f"{verdict.reason}; with integers that wrap around"))
        verdict = _attempt(system, parameters, context, preprocess=preprocess, wraps=True)
    return verdict


def _attempt(
    system: HornSystem, parameters: dict[str, bool], context: Context, *, preprocess: bool, wraps: bool
) -> Verdict:
    try:
        shadow = _Shadow(system, wraps=wraps)
        verdict = check_clauses(shadow.system, parameters, context, Z3(), preprocess=preprocess)
        match verdict:
            case Safe(HornModel() as model):
                for modular in (True, False):
                    found = HornModel(shadow.model_back(model, modular=modular))
                    if check_certificate(system, found, context.budget).accepted:
                        return Safe(found)
                return Unknown("the model for integers is none for bit-vectors")
            case Unsafe(Derivation() as derivation):
                back = shadow.derivation_back(derivation)
                replay(system, back)
                return Unsafe(back)
    except Unsupported as error:
        return Unknown(f"as integers: {error}")
    except ReplayError:
        return Unknown("the derivation with integers is none with bit-vectors")
    return verdict


class _Shadow:
    """The clauses with an integer for each bit-vector, and the way back."""

    def __init__(self, original: HornSystem, *, wraps: bool) -> None:
        self._original = original
        self._integer = _wrapped if wraps else _integer
        self._wraps = wraps
        self._predicates = {p: _symbol(p) for p in original.predicates}
        self._variables = [
            {x: b.var(x.name, _sort(x.sort)) for x in clause.variables} for clause in original.clauses
        ]
        clauses = [self._clause(number, one) for number, one in enumerate(original.clauses)]
        self.system = HornSystem(tuple(self._predicates.values()), tuple(clauses), original.name)

    def _clause(self, number: int, clause: HornClause) -> HornClause:
        known: dict[Term, Term] = dict(self._variables[number])

        def atom(one: Term) -> Term:
            arguments = [bottom_up(argument, known, self._integer) for argument in one.args]
            return b.apply(self._predicates[one.payload], *arguments)

        constraint = bottom_up(clause.constraint, known, self._integer)
        if self._wraps:
            constraint = b.and_(constraint, *(_in_range(known[x], x.sort) for x in clause.variables))
        head = None if clause.head is None else atom(clause.head)
        return HornClause(tuple(map(atom, clause.body)), constraint, head, clause.number)

    def model_back(self, model: HornModel, *, modular: bool) -> dict[FunctionSymbol, Term]:
        found = {}
        for predicate, symbol in self._predicates.items():
            numbers, bits = self.system.arguments[symbol], self._original.arguments[predicate]
            arguments = dict(zip(numbers, bits, strict=True))
            found[predicate] = _Bits(arguments, modular=modular).formula(model.formulas[symbol])
        return found

    def derivation_back(self, derivation: Derivation) -> Derivation:
        steps = []
        for step in derivation.steps:
            names = self._variables[step.clause]
            values = {x: _bits_of(step.values[y], x.sort) for x, y in names.items() if y in step.values}
            steps.append(DerivationStep(step.clause, values, step.premises))
        return Derivation(tuple(steps), derivation.violated)


def _sort(sort: Sort) -> Sort:
    if isinstance(sort, BitVecSort):
        return INT
    if sort is not BOOL:
        raise Unsupported(f"there are values of sort {sort}")
    return sort


def _symbol(predicate: FunctionSymbol) -> FunctionSymbol:
    return FunctionSymbol(predicate.name, [_sort(sort) for sort in predicate.domain], BOOL)


def _bits_of(value: Value, sort: Sort) -> Value:
    if not isinstance(sort, BitVecSort):
        return value
    assert isinstance(value, int)
    return value % (1 << sort.width)


# ---------------------------------------------------------------------- bit-vectors as integers


def _integer(node: Term, args: list[Term]) -> Term:
    """A node over signed integers; exact where nothing overflows."""
    if isinstance(node.sort, BitVecSort):
        width = node.sort.width
        if node.op == Op.CONST:
            value = int(node.payload)
            return b.integer(value - (1 << width) if value >> (width - 1) else value)
        if node.op in _ARITHMETIC:
            return _ARITHMETIC[node.op](*args)
        if node.op in (Op.ZERO_EXTEND, Op.BVUDIV, Op.BVUREM, Op.BVLSHR, Op.CONCAT, Op.EXTRACT):
            return _unsigned(node, args)
    if node.op in _COMPARISONS:
        return _COMPARISONS[node.op](*args)
    if node.op in (Op.EQ, Op.ITE, Op.AND, Op.OR, Op.NOT) or (node.op == Op.CONST and node.sort is BOOL):
        return rebuild(node, tuple(args))
    raise Unsupported(f"{node.op} is no operation on integers")


def _wrapped(node: Term, args: list[Term]) -> Term:
    """The same, exact always: sums are one turn beyond the range at most, products may be many."""
    value = _integer(node, args)
    if not isinstance(node.sort, BitVecSort) or node.op not in _MAY_OVERFLOW:
        return value
    size, half = 1 << node.sort.width, 1 << (node.sort.width - 1)
    if node.op in (Op.BVMUL, Op.BVSHL):
        return b.mod(value + half, b.integer(size)) - half
    return b.ite(value >= half, value - size, b.ite(value < -half, value + size, value))


_MAY_OVERFLOW = (Op.BVADD, Op.BVSUB, Op.BVNEG, Op.BVMUL, Op.BVSHL, Op.BVSDIV, Op.BVUDIV, Op.BVUREM,
                 Op.BVLSHR)


def _in_range(number: Term, sort: Sort) -> Term:
    if not isinstance(sort, BitVecSort):
        return b.TRUE
    half = 1 << (sort.width - 1)
    return b.and_(number >= -half, number < half)


def _known(term: Term) -> int:
    if term.op != Op.CONST:
        raise Unsupported("a shift or a division by something that varies")
    return int(term.payload)


def _power(exponent: Term) -> Term:
    """Two to the power of a known number of places."""
    places = _known(exponent)
    if not 0 <= places < _MOST_PLACES:
        raise Unsupported("a shift by more places than there are")
    return b.integer(1 << places)


def _divided(left: Term, right: Term) -> Term:
    """Rounded towards zero."""
    if _known(right) == 0:
        raise Unsupported("a division by zero")
    return b.ite(left >= 0, b.div(left, right), b.neg(b.div(b.neg(left), right)))


def _unsigned(node: Term, args: list[Term]) -> Term:
    """Operations that see no sign: on the values that the arguments have without one."""
    inner, outer = node.args[-1 if node.op == Op.CONCAT else 0].sort, node.sort
    assert isinstance(inner, BitVecSort) and isinstance(outer, BitVecSort)
    given = args[-1 if node.op == Op.CONCAT else 0]
    value = b.ite(given >= 0, given, given + (1 << inner.width))
    match node.op:
        case Op.ZERO_EXTEND:
            return value
        case Op.CONCAT:
            return b.add(b.mul(args[0], b.integer(1 << inner.width)), value)
        case Op.EXTRACT:
            high, low = node.payload
            if high == low == inner.width - 1:
                return b.ite(given < 0, b.integer(-1), b.integer(0))
            part = b.mod(b.div(value, b.integer(1 << low)), b.integer(1 << outer.width))
            return b.ite(part >= 1 << (outer.width - 1), part - (1 << outer.width), part)
        case Op.BVLSHR:
            return b.div(value, _power(args[1]))
    if _known(args[1]) <= 0:
        raise Unsupported("a division by a number that is not positive")
    return b.div(value, args[1]) if node.op == Op.BVUDIV else b.mod(value, args[1])


def _product(left: Term, right: Term) -> Term:
    if left.op != Op.CONST and right.op != Op.CONST:
        raise Unsupported("a product of two variables")
    return b.mul(left, right)


_ARITHMETIC: dict[str, Callable[..., Term]] = {
    Op.BVADD: b.add,
    Op.BVSUB: b.sub,
    Op.BVNEG: b.neg,
    Op.BVNOT: lambda x: b.sub(b.neg(x), b.integer(1)),
    Op.BVMUL: _product,
    Op.BVSDIV: _divided,
    Op.BVSREM: lambda x, y: b.sub(x, b.mul(y, _divided(x, y))),
    Op.BVSHL: lambda x, y: b.mul(x, _power(y)),
    Op.BVASHR: lambda x, y: b.div(x, _power(y)),
    Op.SIGN_EXTEND: lambda x: x,
    Op.ITE: b.ite,
}


def _below(compare: Callable[[Term, Term], Term], left: Term, right: Term) -> Term:
    """Without a sign, negative numbers are the largest."""
    return b.ite(b.iff(left < 0, right < 0), compare(left, right), right < 0)


_COMPARISONS: dict[str, Callable[..., Term]] = {
    Op.BVSLE: b.le,
    Op.BVSLT: b.lt,
    Op.BVULE: lambda x, y: _below(b.le, x, y),
    Op.BVULT: lambda x, y: _below(b.lt, x, y),
}


# ---------------------------------------------------------------------- formulas over integers as bit-vectors


class _Bits:
    """Formulas over a predicate's arguments; ``modular``: equations in the arguments' own width."""

    def __init__(self, arguments: dict[Term, Term], *, modular: bool) -> None:
        widths = [x.sort.width for x in arguments.values() if isinstance(x.sort, BitVecSort)]
        self._arguments = arguments
        self._own = max(widths, default=1)
        self._wide = self._own + _SPARE
        self._modular = modular and len(set(widths)) == 1
        self._formulas: dict[Term, Term] = {x: y for x, y in arguments.items() if x.sort is BOOL}
        self._numbers: dict[int, dict[Term, Term]] = {self._own: {}, self._wide: {}}

    def formula(self, term: Term) -> Term:
        if term not in self._formulas:
            self._formulas[term] = self._formula(term)
        return self._formulas[term]

    def _formula(self, term: Term) -> Term:
        if term.op == Op.AND:
            return b.conjunction([self.formula(one) for one in _with_equations(term.args)])
        if term.op in (Op.OR, Op.NOT) or (term.op == Op.ITE and term.sort is BOOL):
            return rebuild(term, tuple(self.formula(one) for one in term.args))
        if term.op == Op.CONST:
            return term
        if term.op == Op.EQ and term.args[0].sort is BOOL:
            return b.eq(*map(self.formula, term.args))
        if term.op == Op.EQ:
            width = self._own if self._modular and not _rounds(term) else self._wide
            return b.eq(*(self._number(one, width) for one in term.args))
        if term.op in (Op.LE, Op.LT):
            compare = b.bvsle if term.op == Op.LE else b.bvslt
            return compare(*(self._number(one, self._wide) for one in term.args))
        raise Unsupported(f"{term.op} in a model")

    def _number(self, term: Term, width: int) -> Term:
        def compute(node: Term, args: list[Term]) -> Term:
            match node.op:
                case Op.CONST:
                    return self._constant(int(node.payload), width)
                case Op.VAR:
                    given = self._arguments[node]
                    assert isinstance(given.sort, BitVecSort)
                    return b.sign_extend(width - given.sort.width, given)
                case Op.ADD:
                    return _folded(b.bvadd, args)
                case Op.MUL:
                    return _folded(b.bvmul, args)
                case Op.MOD if node.args[1].op == Op.CONST and node.args[1].payload > 0:
                    return b.bvsmod(*args)
                case Op.DIV if node.args[1].op == Op.CONST and node.args[1].payload > 0:
                    return b.bvsdiv(b.bvsub(args[0], b.bvsmod(*args)), args[1])
            raise Unsupported(f"{node.op} in a model")

        return bottom_up(term, self._numbers[width], compute)

    def _constant(self, value: int, width: int) -> Term:
        if width == self._wide and not -(1 << (width - 1)) <= value < 1 << (width - 1):
            raise Unsupported("a number in a model that is too large")
        return b.bv(value, width)


def _rounds(term: Term) -> bool:
    """Is there a division, which is not one modulo a power of two?"""
    found = [term]
    while found:
        node = found.pop()
        if node.op in (Op.DIV, Op.MOD):
            return True
        found += node.args
    return False


def _folded(operation: Callable[[Term, Term], Term], args: list[Term]) -> Term:
    total = args[0]
    for one in args[1:]:
        total = operation(total, one)
    return total


def _with_equations(parts: tuple[Term, ...]) -> list[Term]:
    """``t <= c`` and ``t >= c`` as one equation."""
    exact = {b.sub(one.args[0], one.args[1]): one for one in parts if one.op == Op.LE}
    found: dict[Term, None] = {}
    for one in parts:
        if one.op == Op.LE and b.sub(one.args[1], one.args[0]) in exact:
            left, right = sorted(one.args, key=lambda x: x.id)
            found[b.eq(b.sub(left, right), b.integer(0))] = None
        else:
            found[one] = None
    return list(found)
