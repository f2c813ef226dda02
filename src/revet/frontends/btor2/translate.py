"""From BTOR2 to a transition system over bit-vectors and arrays.

As for circuits, an input that a property, a constraint or an initial value depends on becomes a
state variable that holds the input of the current step. A state without ``next`` takes any value
in every step.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

from revet.frontends.btor2.file import Btor2File, Node
from revet.logic import build as b
from revet.logic.bits import bool_to_bv, bv, bv_to_bool, width_of
from revet.logic.sorts import ArraySort
from revet.logic.terms import Term
from revet.logic.walk import free_vars_of
from revet.model.names import RESERVED, UNDEFINED
from revet.model.relation import Relation
from revet.model.system import TransitionSystem


class Translation:
    """``system``, and the variable of each input and state, by node."""

    def __init__(self, file: Btor2File, name: str) -> None:
        self.file = file
        self._names: set[str] = set()
        self.variables: dict[int, Term] = {}
        self.terms: dict[int, Term] = {}
        for node in file.nodes.values():
            self.terms[node.id] = self._term(node)
        self.properties = {
            self._unique(symbol or f"b{n}"): bad
            for n, (bad, symbol) in enumerate(zip(file.bad, file.symbols, strict=True))
        }
        self.system = self._system(name)

    def of(self, reference: int) -> Term:
        term = self.terms[abs(reference)]
        return b.bvnot(term) if reference < 0 else term

    def _unique(self, symbol: str) -> str:
        plain = "".join("_" if c in RESERVED or c in "|\\" else c for c in symbol)
        name, n = plain, 1
        while name in self._names:
            n += 1
            name = f"{plain}_{n}"
        self._names.add(name)
        return name

    def _term(self, node: Node) -> Term:
        if node.tag in ("input", "state"):
            kind = "i" if node.tag == "input" else "s"
            name = self._unique(node.symbol or f"{kind}{node.id}")
            variable = self.variables[node.id] = b.var(name, node.sort)
            return variable
        arguments = [self.of(a) for a in node.arguments]
        match node.tag:
            case "const":
                return b.const(node.payload[0], node.sort)
            case "slice":
                return b.extract(node.payload[0], node.payload[1], arguments[0])
            case "uext":
                return b.zero_extend(node.payload[0], arguments[0])
            case "sext":
                return b.sign_extend(node.payload[0], arguments[0])
            case "ite":
                return b.ite(bv_to_bool(arguments[0]), arguments[1], arguments[2])
            case "write":
                return b.store(*arguments)
        if len(arguments) == 1:
            return _UNARY[node.tag](arguments[0])
        return _BINARY[node.tag](arguments[0], arguments[1])

    def _initial(self, state: int, value: int) -> Term:
        variable, term = self.variables[state], self.of(value)
        if isinstance(variable.sort, ArraySort) and term.sort is not variable.sort:
            term = b.const_array(variable.sort, term)
        return b.eq(variable, term)

    def _system(self, name: str) -> TransitionSystem:
        file = self.file
        init = b.conjunction(self._initial(state, value) for state, value in file.init.items())
        goals = {n: b.not_(bv_to_bool(self.of(bad))) for n, bad in self.properties.items()}
        invariants = tuple(bv_to_bool(self.of(c)) for c in file.constraints)
        seen = free_vars_of([init, *goals.values(), *invariants])
        inputs = [self.variables[n] for n in file.inputs]
        states = [self.variables[n] for n in file.states]
        nobodys = [self.variables[n] for n in file.states if n not in file.next]
        updates = {x: b.var(self._unique(f"{x.name}.next"), x.sort) for x in inputs if x in seen}
        updates |= {x: b.var(self._unique(f"{x.name}{UNDEFINED}"), x.sort) for x in nobodys}
        locals_ = (*(x for x in inputs if x not in seen), *updates.values())
        for state, value in file.next.items():
            if self.of(value) is not self.variables[state]:
                updates[self.variables[state]] = self.of(value)
        return TransitionSystem(
            (*states, *(x for x in inputs if x in seen)),
            init,
            Relation(b.TRUE, updates, locals_),
            goals,
            invariants,
            name,
        )


def _bit(condition: Term) -> Term:
    return bool_to_bv(condition)


def _rotated(left: bool) -> Callable[[Term, Term], Term]:
    def rotate(a: Term, amount: Term) -> Term:
        width = width_of(a)
        if width == 1:
            return a
        full = bv(width, width)  # fits: width < 2 ** width
        by = b.bvurem(amount, full)
        rest = b.bvsub(full, by)
        if left:
            return b.bvor(b.bvshl(a, by), b.bvlshr(a, rest))
        return b.bvor(b.bvlshr(a, by), b.bvshl(a, rest))

    return rotate


def _overflow(operation: Callable[[Term, Term], Term], signed: bool) -> Callable[[Term, Term], Term]:
    """Computed with enough bits, is the result another one than in the given width?"""

    def overflows(x: Term, y: Term) -> Term:
        width = width_of(x)
        extend = b.sign_extend if signed else b.zero_extend
        exact = operation(extend(width, x), extend(width, y))
        return _bit(b.not_(b.eq(exact, extend(width, b.extract(width - 1, 0, exact)))))

    return overflows


def _division_overflows(x: Term, y: Term) -> Term:
    width = width_of(x)
    return _bit(b.and_(b.eq(x, bv(1 << (width - 1), width)), b.eq(y, bv(-1, width))))


def _parity(x: Term) -> Term:
    return reduce(b.bvxor, (b.extract(n, n, x) for n in range(width_of(x))))


_UNARY: dict[str, Callable[[Term], Term]] = {
    "not": b.bvnot,
    "inc": lambda x: b.bvadd(x, bv(1, width_of(x))),
    "dec": lambda x: b.bvsub(x, bv(1, width_of(x))),
    "neg": b.bvneg,
    "redand": lambda x: _bit(b.eq(x, bv(-1, width_of(x)))),
    "redor": lambda x: _bit(bv_to_bool(x)),
    "redxor": _parity,
}

_BINARY: dict[str, Callable[[Term, Term], Term]] = {
    "iff": lambda x, y: _bit(b.eq(x, y)),
    "implies": lambda x, y: b.bvor(b.bvnot(x), y),
    "eq": lambda x, y: _bit(b.eq(x, y)),
    "neq": lambda x, y: _bit(b.not_(b.eq(x, y))),
    "ugt": lambda x, y: _bit(b.bvult(y, x)),
    "ugte": lambda x, y: _bit(b.bvule(y, x)),
    "ult": lambda x, y: _bit(b.bvult(x, y)),
    "ulte": lambda x, y: _bit(b.bvule(x, y)),
    "sgt": lambda x, y: _bit(b.bvslt(y, x)),
    "sgte": lambda x, y: _bit(b.bvsle(y, x)),
    "slt": lambda x, y: _bit(b.bvslt(x, y)),
    "slte": lambda x, y: _bit(b.bvsle(x, y)),
    "and": b.bvand,
    "nand": lambda x, y: b.bvnot(b.bvand(x, y)),
    "or": b.bvor,
    "nor": lambda x, y: b.bvnot(b.bvor(x, y)),
    "xor": b.bvxor,
    "xnor": lambda x, y: b.bvnot(b.bvxor(x, y)),
    "rol": _rotated(left=True),
    "ror": _rotated(left=False),
    "sll": b.bvshl,
    "srl": b.bvlshr,
    "sra": b.bvashr,
    "add": b.bvadd,
    "sub": b.bvsub,
    "mul": b.bvmul,
    "udiv": b.bvudiv,
    "urem": b.bvurem,
    "sdiv": b.bvsdiv,
    "srem": b.bvsrem,
    "smod": b.bvsmod,
    "uaddo": _overflow(b.bvadd, signed=False),
    "saddo": _overflow(b.bvadd, signed=True),
    "usubo": lambda x, y: _bit(b.bvult(x, y)),
    "ssubo": _overflow(b.bvsub, signed=True),
    "umulo": _overflow(b.bvmul, signed=False),
    "smulo": _overflow(b.bvmul, signed=True),
    "sdivo": _division_overflows,
    "concat": b.concat,
    "read": b.select,
}
