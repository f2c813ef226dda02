"""Transition systems over Booleans, bit-vectors and arrays of them as BTOR2.

Booleans are bit-vectors of width 1. What BTOR2 has no words for is said with more states: ``.first`` is
one in the first step (an initial condition that is no list of values is a constraint on it), ``.runs`` is one
as long as every step so far was possible, and an array that holds one value everywhere is a state that keeps
it.
"""

from __future__ import annotations

from revet.errors import ModelError
from revet.logic.core import and_, const, implies, not_, var
from revet.logic.sorts import BOOL, ArraySort, BitVecSort, Sort
from revet.logic.terms import FALSE, TRUE, Op, Term
from revet.logic.values import ArrayValue
from revet.logic.walk import bottom_up, conjuncts
from revet.model.system import TransitionSystem

_TAGS = {
    Op.AND: "and", Op.OR: "or", Op.NOT: "not", Op.EQ: "eq", Op.ITE: "ite", Op.SELECT: "read",
    Op.STORE: "write",
    Op.BVADD: "add", Op.BVSUB: "sub", Op.BVMUL: "mul", Op.BVNEG: "neg", Op.BVUDIV: "udiv", Op.BVUREM: "urem",
    Op.BVSDIV: "sdiv", Op.BVSREM: "srem", Op.BVSMOD: "smod", Op.BVAND: "and", Op.BVOR: "or", Op.BVXOR: "xor",
    Op.BVNOT: "not", Op.BVSHL: "sll", Op.BVLSHR: "srl", Op.BVASHR: "sra", Op.BVULT: "ult", Op.BVULE: "ulte",
    Op.BVSLT: "slt", Op.BVSLE: "slte", Op.CONCAT: "concat",
}
_CHAINED = (Op.AND, Op.OR)


def write_btor2(system: TransitionSystem) -> str:
    """Raises :class:`ModelError` for a model with other sorts or operators."""
    return _Writer(system).text()


class _Writer:
    def __init__(self, system: TransitionSystem) -> None:
        self.system = system
        self.lines: list[str] = []
        self.sorts: dict[Sort | tuple[int, int], int] = {}
        self.known: dict[Term, int] = {}
        self.named: set[str] = set()

    def text(self) -> str:
        system = self.system
        values, rest = _initial_values(system)
        for x in system.inputs:
            self.known[x] = self._line("input", self._sort(x), self._name(x.name))
        begun = {x: self._start(value) for x, value in values.items()}
        for x in system.variables:
            self.known[x] = self._line("state", self._sort(x), self._name(x.name))
            if x in begun:
                self._line("init", self._sort(x), self.known[x], begun[x])
        runs = TRUE if system.step.guard is TRUE else self._flag(".runs", system.step.guard)
        constraints = [implies(runs, one) for one in system.invariants]
        if rest:
            first = self._flag(".first", FALSE)
            constraints += [implies(first, one) for one in rest]
        for x in system.variables:
            after = self._node(system.step.after(x))
            self._line("next", self._sort(x), self.known[x], after)
        for one in constraints:
            self._line("constraint", self._node(one))
        for name, formula in system.properties.items():
            self._line("bad", self._node(and_(runs, not_(formula))), self._name(name))
        return "\n".join(self.lines)

    def _line(self, tag: str, *words: object) -> int:
        number = len(self.lines) + 1
        self.lines.append(" ".join(map(str, (number, tag, *words))))
        return number

    def _name(self, name: str) -> str:
        """One word; no two are the same."""
        word = "".join("_" if c.isspace() or not c.isprintable() or c == ";" else c for c in name) or "_"
        while word in self.named:
            word += "_"
        self.named.add(word)
        return word

    def _sort(self, of: Term | Sort) -> int:
        sort = of.sort if isinstance(of, Term) else of
        if isinstance(sort, ArraySort):
            index, element = self._sort(sort.index), self._sort(sort.element)
            key: Sort | tuple[int, int] = (index, element)
            words: tuple[object, ...] = ("array", index, element)
        elif isinstance(sort, BitVecSort):
            key, words = sort, ("bitvec", sort.width)
            if sort.width == 1:
                return self._sort(BOOL)
        elif sort is BOOL:
            key, words = BOOL, ("bitvec", 1)
        else:
            raise ModelError(f"BTOR2 has bit-vectors and arrays of them, nothing of sort {sort}")
        if key not in self.sorts:
            self.sorts[key] = self._line("sort", *words)
        return self.sorts[key]

    def _flag(self, name: str, keeps: Term) -> Term:
        """A state that is one at first and then as long as the condition held."""
        start = self._node(TRUE)
        sort = self._sort(BOOL)
        number = self._line("state", sort, self._name(name))
        self._line("init", sort, number, start)
        after = self._line("and", sort, number, self._node(keeps))
        self._line("next", sort, number, after)
        made = _variable(name, self.system)
        self.known[made] = number
        return made

    def _start(self, value: Term) -> int:
        """An initial value; an array's is the value that it has everywhere."""
        if isinstance(value.payload, ArrayValue):
            assert isinstance(value.sort, ArraySort)
            return self._node(const(value.payload.default, value.sort.element))
        return self._node(value)

    def _node(self, term: Term) -> int:
        return bottom_up(term, self.known, self._made)

    def _made(self, term: Term, args: list[int]) -> int:
        op = term.op
        if op == Op.CONST and isinstance(term.payload, ArrayValue):
            return self._array(term)
        if op == Op.CONST:
            return self._line("constd", self._sort(term), int(term.payload))
        sort = self._sort(term)
        if op == Op.CONST_ARRAY:
            if term.args[0].op != Op.CONST:
                raise ModelError("BTOR2 has no array that holds one value everywhere which is not constant")
            return self._everywhere(sort, args[0])
        if op == Op.EXTRACT:
            high, low = term.payload
            return self._line("slice", sort, args[0], high, low)
        if op in (Op.ZERO_EXTEND, Op.SIGN_EXTEND):
            return self._line("uext" if op == Op.ZERO_EXTEND else "sext", sort, args[0], term.payload)
        if op not in _TAGS:
            raise ModelError(f"BTOR2 has no operator for {op}")
        if op not in _CHAINED:
            return self._line(_TAGS[op], sort, *args)
        found = args[0]
        for arg in args[1:]:
            found = self._line(_TAGS[op], sort, found, arg)
        return found

    def _array(self, term: Term) -> int:
        """A constant array: one value everywhere, then the others written to it."""
        sort = term.sort
        assert isinstance(sort, ArraySort)
        value: ArrayValue = term.payload
        number = self._everywhere(self._sort(sort), self._node(const(value.default, sort.element)))
        for index, element in value.entries.items():
            at, put = self._node(const(index, sort.index)), self._node(const(element, sort.element))
            number = self._line("write", self._sort(sort), number, at, put)
        return number

    def _everywhere(self, sort: int, value: int) -> int:
        number = self._line("state", sort, self._name(".everywhere"))
        self._line("init", sort, number, value)
        self._line("next", sort, number, number)
        return number


def _variable(name: str, system: TransitionSystem) -> Term:
    taken = {x.name for x in (*system.variables, *system.inputs)}
    while name in taken:
        name += "_"
    return var(name, BOOL)


def _initial_values(system: TransitionSystem) -> tuple[dict[Term, Term], list[Term]]:
    """Variables that start with one value, and what else the initial condition says."""
    values: dict[Term, Term] = {}
    rest: list[Term] = []
    for part in conjuncts(system.init):
        x, value = _equation(part)
        plain = not isinstance(value.payload, ArrayValue) or not value.payload.entries
        if x in system.variables and x not in values and value.op == Op.CONST and plain:
            values[x] = value
        elif part is not TRUE:
            rest.append(part)
    return values, rest


def _equation(part: Term) -> tuple[Term, Term]:
    if part.op == Op.EQ:
        left, right = part.args
        return (right, left) if left.op == Op.CONST else (left, right)
    return (part.args[0], FALSE) if part.op == Op.NOT else (part, TRUE)
