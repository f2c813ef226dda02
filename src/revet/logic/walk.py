"""Walks over terms: free variables, substitution, rewriting. All iterative.

The order of a walk comes from ``Term.id``: arguments are older than their node, so visiting the
reachable nodes by ascending id is bottom-up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from revet.logic import arith, arrays, bits, core, floats
from revet.logic.sorts import Sort
from revet.logic.terms import Op, Term, intern

Result = TypeVar("Result")
Memo = dict[Term, Term]


def subterms(*roots: Term) -> list[Term]:
    """All nodes reachable from the roots, arguments before the nodes that use them."""
    seen = set(roots)
    stack = list(seen)
    while stack:
        for arg in stack.pop().args:
            if arg not in seen:
                seen.add(arg)
                stack.append(arg)
    return sorted(seen, key=lambda term: term.id)


def size(*roots: Term) -> int:
    """The number of distinct nodes."""
    return len(subterms(*roots))


def free_vars(term: Term) -> frozenset[Term]:
    """The variables that occur free; remembered at ``term`` itself."""
    cached = term._free
    if cached is None:
        if term.quantified:
            cached = _free_under_quantifiers(term)
        else:
            cached = frozenset(node for node in _uncached(term))
        term._free = cached
    return cached


def _quantifiers(term: Term) -> list[Term]:
    return [node for node in subterms(term) if node.op in (Op.FORALL, Op.EXISTS)]


def _uncached(root: Term) -> Iterator[Term]:
    """Variables below ``root``, reading off nodes whose set is already known."""
    seen = {root}
    stack = [root]
    while stack:
        node = stack.pop()
        if node.op == Op.VAR:
            yield node
        elif node._free is not None:
            yield from node._free
        else:
            for arg in node.args:
                if arg not in seen:
                    seen.add(arg)
                    stack.append(arg)


def _free_under_quantifiers(root: Term) -> frozenset[Term]:
    if root.op in (Op.FORALL, Op.EXISTS) and not root.args[0].quantified:  # as in clauses
        return free_vars(root.args[0]).difference(root.payload)
    free: dict[Term, frozenset[Term]] = {}
    for node in subterms(root):
        if node.op == Op.VAR:
            free[node] = frozenset((node,))
        else:
            below = frozenset().union(*(free[arg] for arg in node.args))
            if node.op in (Op.FORALL, Op.EXISTS):
                below = below.difference(node.payload)
            free[node] = below
    return free[root]


def free_vars_of(terms: Iterable[Term]) -> frozenset[Term]:
    """The variables free in any of the terms.

    Of many terms the nodes are walked once: a set for each would be quadratic where every term
    contains the one before it (a chain of equations within one instant).
    """
    roots = list(terms)
    if len(roots) <= _FEW or any(root.quantified for root in roots):
        return frozenset().union(*(free_vars(term) for term in roots))
    return frozenset(reachable_vars(roots, {}))


_FEW = 64  # terms whose sets of variables are worth keeping


def reachable_vars(roots: Iterable[Term], definitions: Mapping[Term, Term]) -> set[Term]:
    """Variables in the roots, in the definitions of those, and so on; every node is seen once.

    Variables that a quantifier binds are counted as well.
    """
    stack = list(roots)
    seen = set(stack)
    found: set[Term] = set()
    while stack:
        node = stack.pop()
        if node.op == Op.VAR:
            found.add(node)
            following: tuple[Term, ...] = (definitions[node],) if node in definitions else ()
        else:
            following = node.args
        for term in following:
            if term not in seen:
                seen.add(term)
                stack.append(term)
    return found


# How to build a node again from new arguments, through the smart constructors.
_Rebuild = Callable[[tuple[Term, ...], Any, Sort], Term]


def _plain(constructor: Callable[..., Term]) -> _Rebuild:
    return lambda args, payload, sort: constructor(*args)


def _rounded(constructor: Callable[..., Term]) -> _Rebuild:
    return lambda args, payload, sort: constructor(*args, payload)


def _to_float(constructor: Callable[..., Term]) -> _Rebuild:
    return lambda args, payload, sort: constructor(sort, args[0], payload)


_REBUILD: dict[str, _Rebuild] = {
    Op.NOT: _plain(core.not_), Op.AND: _plain(core.and_), Op.OR: _plain(core.or_),
    Op.ITE: _plain(core.ite), Op.EQ: _plain(core.eq),
    Op.APPLY: lambda args, payload, sort: core.apply(payload, *args),
    Op.FORALL: lambda args, payload, sort: core.forall(payload, args[0]),
    Op.EXISTS: lambda args, payload, sort: core.exists(payload, args[0]),
    Op.ADD: _plain(arith.add), Op.MUL: _plain(arith.mul), Op.DIV: _plain(arith.div),
    Op.MOD: _plain(arith.mod), Op.RDIV: _plain(arith.rdiv), Op.LE: _plain(arith.le),
    Op.LT: _plain(arith.lt), Op.TO_REAL: _plain(arith.to_real), Op.TO_INT: _plain(arith.to_int),
    Op.BVADD: _plain(bits.bvadd), Op.BVSUB: _plain(bits.bvsub), Op.BVMUL: _plain(bits.bvmul),
    Op.BVNEG: _plain(bits.bvneg), Op.BVUDIV: _plain(bits.bvudiv), Op.BVUREM: _plain(bits.bvurem),
    Op.BVSDIV: _plain(bits.bvsdiv), Op.BVSREM: _plain(bits.bvsrem), Op.BVSMOD: _plain(bits.bvsmod),
    Op.BVAND: _plain(bits.bvand), Op.BVOR: _plain(bits.bvor), Op.BVXOR: _plain(bits.bvxor),
    Op.BVNOT: _plain(bits.bvnot), Op.BVSHL: _plain(bits.bvshl), Op.BVLSHR: _plain(bits.bvlshr),
    Op.BVASHR: _plain(bits.bvashr), Op.BVULT: _plain(bits.bvult), Op.BVULE: _plain(bits.bvule),
    Op.BVSLT: _plain(bits.bvslt), Op.BVSLE: _plain(bits.bvsle), Op.CONCAT: _plain(bits.concat),
    Op.BV2NAT: _plain(bits.bv2nat),
    Op.EXTRACT: lambda args, payload, sort: bits.extract(payload[0], payload[1], args[0]),
    Op.ZERO_EXTEND: lambda args, payload, sort: bits.zero_extend(payload, args[0]),
    Op.SIGN_EXTEND: lambda args, payload, sort: bits.sign_extend(payload, args[0]),
    Op.INT2BV: lambda args, payload, sort: bits.int2bv(payload, args[0]),
    Op.SELECT: _plain(arrays.select), Op.STORE: _plain(arrays.store),
    Op.CONST_ARRAY: lambda args, payload, sort: arrays.const_array(sort, args[0]),
    Op.FP_ADD: _rounded(floats.fp_add), Op.FP_SUB: _rounded(floats.fp_sub),
    Op.FP_MUL: _rounded(floats.fp_mul), Op.FP_DIV: _rounded(floats.fp_div),
    Op.FP_SQRT: _rounded(floats.fp_sqrt), Op.FP_ROUND: _rounded(floats.fp_round),
    Op.FP_FMA: _rounded(floats.fp_fma),
    Op.FP_REM: _plain(floats.fp_rem), Op.FP_NEG: _plain(floats.fp_neg), Op.FP_ABS: _plain(floats.fp_abs),
    Op.FP_LE: _plain(floats.fp_le), Op.FP_LT: _plain(floats.fp_lt), Op.FP_EQ: _plain(floats.fp_eq),
    Op.FP_IS_NAN: _plain(floats.fp_is_nan), Op.FP_IS_INF: _plain(floats.fp_is_inf),
    Op.FP_IS_ZERO: _plain(floats.fp_is_zero), Op.FP_IS_NEGATIVE: _plain(floats.fp_is_negative),
    Op.FP_IS_NORMAL: _plain(floats.fp_is_normal), Op.FP_IS_SUBNORMAL: _plain(floats.fp_is_subnormal),
    Op.FP_FROM_FP: _to_float(floats.fp_to_fp), Op.FP_FROM_REAL: _to_float(floats.fp_from_real),
    Op.FP_FROM_SBV: _to_float(floats.fp_from_sbv), Op.FP_FROM_UBV: _to_float(floats.fp_from_ubv),
    Op.FP_FROM_BITS: lambda args, payload, sort: floats.fp_from_bits(sort, args[0]),
    Op.FP_TO_SBV: lambda args, payload, sort: floats.fp_to_sbv(payload[1], args[0], payload[0]),
    Op.FP_TO_UBV: lambda args, payload, sort: floats.fp_to_ubv(payload[1], args[0], payload[0]),
    Op.FP_TO_REAL: _plain(floats.fp_to_real),
}


def build_node(op: str, args: tuple[Term, ...], payload: Any, sort: Sort) -> Term:
    """A node through its smart constructor."""
    constructor = _REBUILD.get(op)
    if constructor is not None:
        return constructor(args, payload, sort)
    if op not in (Op.VAR, Op.CONST):
        raise TypeError(f"unknown operator {op}")
    return intern(op, args, sort, payload)


def rebuild(term: Term, args: tuple[Term, ...]) -> Term:
    """``term`` with other arguments, simplified; the term itself if they are the same."""
    if args == term.args:
        return term
    op = term.op
    if op not in _OF_THEIR_OWN:
        for arg in args:
            if arg.op != Op.CONST:
                break
        else:  # most nodes along a run of which everything is known
            return core.fold(op, args, term.sort, term.payload)
    return build_node(op, args, term.payload, term.sort)


_OF_THEIR_OWN = frozenset((Op.APPLY, Op.FORALL, Op.EXISTS))  # no value, even where the arguments have one


def bottom_up(
    term: Term, known: dict[Term, Result], compute: Callable[[Term, list[Result]], Result]
) -> Result:
    """``compute`` of every node below, from the results for its arguments; no term is too deep.

    ``known`` has results that need not be computed (of variables, for instance), and grows.
    """
    stack = [term]
    while stack:
        node = stack[-1]
        if node in known:
            stack.pop()
            continue
        results = []
        for arg in node.args:
            if arg in known:
                results.append(known[arg])
            elif arg.args:
                stack.append(arg)
            else:  # a leaf: need not wait for its turn
                known[arg] = leaf = compute(arg, [])
                results.append(leaf)
        if stack[-1] is node:
            stack.pop()
            known[node] = compute(node, results)
    return known[term]


def rewrite(term: Term, rule: Callable[[Term], Term], memo: Memo | None = None) -> Term:
    """Bottom-up: ``rule`` sees every node after its arguments were rewritten.

    Pass one ``memo`` to several calls with the same rule to share their work.
    """
    return bottom_up(term, {} if memo is None else memo, lambda node, args: rule(rebuild(node, tuple(args))))


def substitute(term: Term, mapping: Mapping[Term, Term], memo: Memo | None = None) -> Term:
    """Replace variables (or whole subterms) by terms, all at once.

    ``memo`` may be kept across calls with the same mapping. Bound variables are never replaced
    nor captured: they are renamed where they clash with the mapping.
    """
    if not mapping:
        return term
    if not term.args:
        return mapping.get(term, term)
    if memo is None:
        memo = {}
    memo.update(mapping)
    if term.quantified:
        term = _rename_apart(term, mapping)
    return rewrite(term, _same, memo)


def _same(term: Term) -> Term:
    return term


def _rename_apart(root: Term, mapping: Mapping[Term, Term]) -> Term:
    """``root`` with no bound variable that occurs in the mapping."""
    if not (quantified := _quantifiers(root)):
        return root
    taken = free_vars_of(mapping) | free_vars_of(mapping.values())
    if not any(taken.intersection(node.payload) for node in quantified):
        return root
    nodes = subterms(root)
    names = variable_names(root) | {x.name for x in taken}
    renamed: Memo = {}
    for node in nodes:
        args = tuple([renamed[arg] for arg in node.args])
        clashes = taken.intersection(node.payload) if node in quantified else ()
        if clashes:
            fresh = {x: fresh_variable(x, names) for x in node.payload if x in clashes}
            bound = tuple(fresh.get(variable, variable) for variable in node.payload)
            body = rewrite(args[0], _same, dict(fresh))
            renamed[node] = build_node(node.op, (body,), bound, node.sort)
        else:
            renamed[node] = rebuild(node, args)
    return renamed[root]


def variable_names(term: Term) -> set[str]:
    """The names of all variables in a term, also those that quantifiers bind and nobody uses."""
    names: set[str] = set()
    for node in subterms(term):
        if node.op == Op.VAR:
            names.add(node.name)
        elif node.op in (Op.FORALL, Op.EXISTS):
            names.update(x.name for x in node.payload)
    return names


def fresh_variable(variable: Term, names: set[str]) -> Term:
    """A variable like this one whose name is not among ``names``, which it joins."""
    number = 0
    while (name := f"{variable.name}!{number}") in names:
        number += 1
    names.add(name)
    return core.var(name, variable.sort)


def conjuncts(term: Term) -> list[Term]:
    """The formulas whose conjunction is ``term``: nested conjunctions flattened, in order."""
    return _flatten(term, Op.AND)


def constants(formula: Term) -> dict[Term, Term]:
    """Variables that the formula equates with constants."""
    found: dict[Term, Term] = {}
    for part in conjuncts(formula):
        if part.op == Op.EQ and part.args[0].op == Op.VAR and part.args[1].op == Op.CONST:
            found.setdefault(part.args[0], part.args[1])
    return found


def disjuncts(term: Term) -> list[Term]:
    return _flatten(term, Op.OR)


def _flatten(term: Term, op: str) -> list[Term]:
    parts: dict[Term, None] = {}
    seen = set()
    stack = [term]
    while stack:
        node = stack.pop()
        if node.op == op:
            if node not in seen:
                seen.add(node)
                stack.extend(reversed(node.args))
        else:
            parts[node] = None
    return list(parts)


def atoms(*roots: Term) -> list[Term]:
    """The atomic formulas: Boolean nodes that are not connectives, constants or quantified."""
    connectives = (Op.NOT, Op.AND, Op.OR, Op.CONST, Op.FORALL, Op.EXISTS)
    found = []
    for node in subterms(*roots):
        if node.sort.name != "Bool" or node.op in connectives:
            continue
        if node.op == Op.ITE or (node.op == Op.EQ and node.args[0].sort.name == "Bool"):
            continue
        found.append(node)
    return found
