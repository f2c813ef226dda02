"""What statements do to abstract states: evaluation of terms, and refinement by conditions.

:meth:`Transfer.value` goes up a term: from the variables' values to the term's.
:meth:`Transfer.assume` goes down (Benhamou et al., *Revising hull and box consistency*, 1999): where a
condition must hold, the values of its terms, and through them those of the variables, are cut down
to what makes that possible. Going up is iterative and takes terms of any depth; going down stops at a
fixed depth, below which nothing is refined, which is sound.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from revet.engines.absint.domain import EITHER, MAYBE_FALSE, MAYBE_TRUE, Domain, truth
from revet.engines.absint.states import State, is_number, join, top_of, with_value
from revet.logic.arith import split_coefficient
from revet.logic.sorts import BOOL, INT
from revet.logic.terms import Op, Term
from revet.model.statements import Assign, Assume, Block, Havoc, Statement

DEPTH = 24  # how far conditions are taken apart
FUEL = 1000  # how many parts of one condition are looked at: it is walked as a tree
ROUNDS = 3  # how often a conjunction is gone through: one part may help another

_ATOMS = (Op.LE, Op.LT, Op.EQ)


class Transfer:
    """The abstract semantics of statements over one domain."""

    def __init__(self, domain: Domain[Any]) -> None:
        self.domain = domain
        self._fuel = 0

    def run(self, statements: Sequence[Statement], state: State) -> State | None:
        """The state after the statements; None if no run gets there."""
        current: State | None = state
        for statement in statements:
            if current is None:
                return None
            match statement:
                case Assign(variable, value):
                    current = with_value(self.domain, current, variable, self.value(value, current))
                case Havoc(variable):
                    current = with_value(self.domain, current, variable, None)
                case Assume(condition):
                    current = self.assume(condition, current)
                case Block(relation):
                    current = self.assume(relation.guard, current)
                    if current is not None:
                        after = {x: self.value(value, current) for x, value in relation.updates.items()}
                        for variable, result in after.items():
                            current = with_value(self.domain, current, variable, result)
                        hidden = set(relation.locals)
                        current = {x: known for x, known in current.items() if x not in hidden}
        return current

    # Up

    def value(self, term: Term, state: State) -> Any:
        """The abstract value of a term; None for sorts of which nothing is known."""
        if term.op == Op.VAR:  # the common case, without a table
            return self._variable(term, state)
        values: dict[Term, Any] = {}
        stack = [term]
        while stack:
            node = stack[-1]
            if node in values:
                stack.pop()
                continue
            if not (is_number(node) or node.sort is BOOL):
                values[node] = None
                continue
            missing = [arg for arg in node.args if arg not in values]
            if missing and node.op not in (Op.FORALL, Op.EXISTS):
                stack.extend(missing)
                continue
            stack.pop()
            values[node] = self._node(node, [values.get(arg) for arg in node.args], state)
        return values[term]

    def _variable(self, variable: Term, state: State) -> Any:
        if is_number(variable) or variable.sort is BOOL:
            return state.get(variable, top_of(self.domain, variable))
        return None

    def _node(self, node: Term, args: list[Any], state: State) -> Any:
        if node.op == Op.VAR:
            return self._variable(node, state)
        if node.op == Op.CONST:
            return truth(node.payload) if node.sort is BOOL else self.domain.constant(node.payload)
        if node.op == Op.ITE:
            return self._choice(node, args)
        return self._formula(node, args) if node.sort is BOOL else self._number(node, args)

    def _choice(self, node: Term, args: list[Any]) -> Any:
        condition, then, otherwise = args
        if condition == MAYBE_TRUE:
            return then
        if condition == MAYBE_FALSE:
            return otherwise
        return then | otherwise if node.sort is BOOL else self.domain.join(then, otherwise)

    def _number(self, node: Term, args: list[Any]) -> Any:
        domain = self.domain
        match node.op:
            case Op.ADD | Op.MUL:
                combine = domain.add if node.op == Op.ADD else domain.mul
                total = args[0]
                for arg in args[1:]:
                    total = combine(total, arg)
                return total
            case Op.DIV:
                return domain.div(*args)
            case Op.MOD:
                return domain.mod(*args)
            case Op.RDIV:
                return domain.rdiv(*args)
            case Op.TO_REAL:
                return args[0]
            case Op.TO_INT:
                return domain.floor(args[0])
            case Op.BV2NAT:
                return domain.above(domain.constant(0), strict=False, integer=True)
        return domain.top

    def _formula(self, node: Term, args: list[Any]) -> int:
        match node.op:
            case Op.NOT:
                return _negated(args[0])
            case Op.AND:
                result = MAYBE_FALSE if any(arg & MAYBE_FALSE for arg in args) else 0
                return result | (MAYBE_TRUE if all(arg & MAYBE_TRUE for arg in args) else 0)
            case Op.OR:
                result = MAYBE_TRUE if any(arg & MAYBE_TRUE for arg in args) else 0
                return result | (MAYBE_FALSE if all(arg & MAYBE_FALSE for arg in args) else 0)
            case Op.LE:
                return self.domain.at_most(args[0], args[1])
            case Op.LT:
                return _negated(self.domain.at_most(args[1], args[0]))
            case Op.EQ:
                return self._equation(node.args[0], args)
        return EITHER

    def _equation(self, left: Term, args: list[Any]) -> int:
        if is_number(left):
            return self.domain.equal(args[0], args[1])
        if left.sort is BOOL and EITHER not in args:
            return truth(args[0] == args[1])
        return EITHER

    # Down

    def assume(self, condition: Term, state: State) -> State | None:
        """The part of ``state`` in which the condition may hold."""
        self._fuel = FUEL
        return self._refine(condition, True, state, DEPTH)

    def _refine(self, formula: Term, wanted: bool, state: State, depth: int) -> State | None:
        """The part of ``state`` in which ``formula`` may be ``wanted``."""
        self._fuel -= 1
        if depth == 0 or self._fuel < 0:
            return state if self.value(formula, state) & truth(wanted) else None
        if formula.op in _ATOMS and not self.value(formula, state) & truth(wanted):
            return None
        match formula.op:
            case Op.VAR:
                known = state.get(formula, EITHER) & truth(wanted)
                return with_value(self.domain, state, formula, known) if known else None
            case Op.NOT:
                return self._refine(formula.args[0], not wanted, state, depth - 1)
            case Op.AND | Op.OR if (formula.op == Op.AND) is wanted:
                return self._all(formula.args, wanted, state, depth)
            case Op.AND | Op.OR:
                return self._any(formula.args, wanted, state, depth)
            case Op.LE | Op.LT:
                left, right = formula.args
                strict = (formula.op == Op.LT) is wanted
                if not wanted:
                    left, right = right, left
                return self._ordered(left, right, strict, state, depth)
            case Op.EQ if is_number(formula.args[0]):
                left, right = formula.args
                return (self._equal if wanted else self._different)(left, right, state, depth)
            case Op.EQ if formula.args[0].sort is BOOL:
                return self._equivalent(formula.args[0], formula.args[1], wanted, state, depth)
            case Op.ITE:
                condition, then, otherwise = formula.args
                first = self._all_of([(condition, True), (then, wanted)], state, depth)
                second = self._all_of([(condition, False), (otherwise, wanted)], state, depth)
                return join(self.domain, first, second)
        return state if self.value(formula, state) & truth(wanted) else None

    def _all(self, parts: Sequence[Term], wanted: bool, state: State, depth: int) -> State | None:
        return self._all_of([(part, wanted) for part in parts], state, depth)

    def _all_of(self, parts: Sequence[tuple[Term, bool]], state: State, depth: int) -> State | None:
        rounds = ROUNDS if depth == DEPTH else 1  # only at the top: nested rounds would multiply
        for _ in range(rounds):
            before = state
            for part, wanted in parts:
                refined = self._refine(part, wanted, state, depth - 1)
                if refined is None:
                    return None
                state = refined
            if state == before:
                break
        return state

    def _any(self, parts: Sequence[Term], wanted: bool, state: State, depth: int) -> State | None:
        result: State | None = None
        for part in parts:
            result = join(self.domain, result, self._refine(part, wanted, state, depth - 1))
            if result == state:
                break  # no part can take anything away any more
        return result

    def _equivalent(self, left: Term, right: Term, same: bool, state: State, depth: int) -> State | None:
        for one, other in ((left, right), (right, left)):
            known = self.value(one, state)
            if known != EITHER:
                return self._refine(other, (known == MAYBE_TRUE) is same, state, depth - 1)
        return state

    def _ordered(self, left: Term, right: Term, strict: bool, state: State, depth: int) -> State | None:
        integer = left.sort is INT
        bound = self.domain.below(self.value(right, state), strict=strict, integer=integer)
        refined = self._cut(left, bound, state, depth)
        if refined is None:
            return None
        bound = self.domain.above(self.value(left, refined), strict=strict, integer=integer)
        return self._cut(right, bound, refined, depth)

    def _equal(self, left: Term, right: Term, state: State, depth: int) -> State | None:
        refined = self._cut(left, self.value(right, state), state, depth)
        if refined is None:
            return None
        return self._cut(right, self.value(left, refined), refined, depth)

    def _different(self, left: Term, right: Term, state: State, depth: int) -> State | None:
        for one, other in ((left, right), (right, left)):
            rest = self.domain.without(
                self.value(one, state), self.value(other, state), integer=left.sort is INT
            )
            refined = None if rest is None else self._cut(one, rest, state, depth)
            if refined is None:
                return None
            state = refined
        return state

    def _cut(self, term: Term, bound: Any, state: State, depth: int) -> State | None:
        """The part of ``state`` in which the value of ``term`` may be in ``bound``."""
        known = self.value(term, state)
        value = self.domain.meet(known, bound)
        if value is None:
            return None
        self._fuel -= 1
        if depth == 0 or self._fuel < 0 or value == known:
            return state
        match term.op:
            case Op.VAR:
                return with_value(self.domain, state, term, value)
            case Op.ADD:
                return self._cut_sum(term, value, state, depth)
            case Op.MUL if term.args[0].op == Op.CONST:
                factor, base = split_coefficient(term)
                rest = self.domain.quotient(value, factor, integer=term.sort is INT)
                return None if rest is None else self._cut(base, rest, state, depth - 1)
            case Op.TO_REAL:
                return self._cut(term.args[0], value, state, depth - 1)
            case Op.ITE:
                return self._cut_choice(term, value, state, depth)
        return state

    def _cut_sum(self, term: Term, value: Any, state: State, depth: int) -> State | None:
        """Each part is the sum less the other parts."""
        minus = self.domain.constant(-1)
        values = [self.domain.mul(minus, self.value(part, state)) for part in term.args]
        after = [value]  # after[i]: the sum less the last i parts
        for each in reversed(values):
            after.append(self.domain.add(after[-1], each))
        before = self.domain.constant(0)
        for place, part in enumerate(term.args):
            rest = self.domain.add(before, after[len(values) - 1 - place])
            refined = self._cut(part, rest, state, depth - 1)
            if refined is None:
                return None
            state = refined
            before = self.domain.add(before, values[place])
        return state

    def _cut_choice(self, term: Term, value: Any, state: State, depth: int) -> State | None:
        result: State | None = None
        for wanted, branch in ((True, term.args[1]), (False, term.args[2])):
            part = self._refine(term.args[0], wanted, state, depth - 1)
            if part is not None:
                part = self._cut(branch, value, part, depth - 1)
            result = join(self.domain, result, part)
        return result


def _negated(mask: int) -> int:
    return (mask & MAYBE_TRUE) >> 1 | (mask & MAYBE_FALSE) << 1
