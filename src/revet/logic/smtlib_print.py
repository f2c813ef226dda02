"""Terms and problems as SMT-LIB 2 text.

Shared subterms are bound once with ``let``, so the text is as large as the DAG, not the tree.
SMT-LIB leaves division by zero and some float conversions open; they are printed under a guard
that says what our semantics says (:mod:`revet.logic.totality`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from revet.errors import ModelError
from revet.logic import softfloat
from revet.logic.sorts import (
    BOOL,
    INT,
    REAL,
    ArraySort,
    BitVecSort,
    FloatSort,
    Sort,
    UninterpretedSort,
)
from revet.logic.terms import FunctionSymbol, Op, Term
from revet.logic.totality import totalized
from revet.logic.values import ArrayValue, Value
from revet.logic.walk import free_vars, free_vars_of, subterms

_SIMPLE_SYMBOL = re.compile(r"[A-Za-z~!@$%^&*_+=<>.?/\-][A-Za-z0-9~!@$%^&*_+=<>.?/\-]*\Z")
_UNWRITABLE = re.compile(r"[|\\]|(?![\t\n\r])[\x00-\x1f\x7f]")  # not even between bars
_RESERVED = frozenset((
    "let", "forall", "exists", "match", "par", "as", "_", "!", "true", "false", "BINARY", "DECIMAL",
    "HEXADECIMAL", "NUMERAL", "STRING", "assert", "check-sat", "declare-const", "declare-fun",
    "define-fun", "push", "pop", "exit", "RNE", "RTZ", "RTP", "RTN", "RNA",
))
_QUANTIFIERS = (Op.FORALL, Op.EXISTS)
_TO_FP = (Op.FP_FROM_FP, Op.FP_FROM_REAL, Op.FP_FROM_SBV)
_ROUNDED = (Op.FP_ADD, Op.FP_SUB, Op.FP_MUL, Op.FP_DIV, Op.FP_SQRT, Op.FP_ROUND, Op.FP_FMA)


def symbol(name: str) -> str:
    """A name as an SMT-LIB symbol, quoted where it must be."""
    if _SIMPLE_SYMBOL.match(name) and name not in _RESERVED:
        return name
    if _UNWRITABLE.search(name):
        raise ModelError(f"the name {name!r} cannot be written in SMT-LIB")
    return f"|{name}|"


def sort_text(sort: Sort) -> str:
    if isinstance(sort, ArraySort):
        return f"(Array {sort_text(sort.index)} {sort_text(sort.element)})"
    return symbol(sort.name) if isinstance(sort, UninterpretedSort) else sort.name


def value_text(value: Value, sort: Sort) -> str:
    """A constant."""
    if sort is BOOL:
        return "true" if value else "false"
    if isinstance(value, ArrayValue):
        assert isinstance(sort, ArraySort)
        text = f"((as const {sort_text(sort)}) {value_text(value.default, sort.element)})"
        entries = value.entries.items()
        stores = [f" {value_text(i, sort.index)} {value_text(v, sort.element)})" for i, v in entries]
        return "(store " * len(stores) + text + "".join(stores)
    if sort is REAL:
        return _real_text(Fraction(value))
    if sort is INT:
        return str(value) if value >= 0 else f"(- {-value})"
    if isinstance(sort, BitVecSort):
        return f"(_ bv{value} {sort.width})"
    if isinstance(sort, FloatSort):
        return _float_text(int(value), sort)
    return f"(as @{value} {sort_text(sort)})"


def _real_text(value: Fraction) -> str:
    magnitude = abs(value)
    text = f"{magnitude.numerator}.0"
    if magnitude.denominator != 1:
        text = f"(/ {text} {magnitude.denominator}.0)"
    return text if value >= 0 else f"(- {text})"


def _float_text(bits: int, sort: FloatSort) -> str:
    if softfloat.is_nan(bits, sort):
        return f"(_ NaN {sort.exponent} {sort.significand})"
    pattern = f"{bits:0{sort.width}b}"
    return f"(fp #b{pattern[0]} #b{pattern[1 : sort.exponent + 1]} #b{pattern[sort.exponent + 1 :]})"


def _head(term: Term) -> str:
    """What stands before the arguments, without the opening parenthesis."""
    op, payload, sort = term.op, term.payload, term.sort
    if op == Op.APPLY:
        return symbol(payload.name)
    if op == Op.EXTRACT:
        return f"(_ extract {payload[0]} {payload[1]})"
    if op in (Op.ZERO_EXTEND, Op.SIGN_EXTEND, Op.INT2BV):
        return f"(_ {op} {payload})"
    if op == Op.CONST_ARRAY:
        return f"(as const {sort_text(sort)})"
    if op in _ROUNDED:
        return f"{op} {payload}"
    if op in (Op.FP_TO_SBV, Op.FP_TO_UBV):
        return f"(_ {op} {payload[1]}) {payload[0]}"
    if isinstance(sort, FloatSort):
        size = f"{sort.exponent} {sort.significand}"
        if op in _TO_FP:
            return f"(_ to_fp {size}) {payload}"
        if op == Op.FP_FROM_UBV:
            return f"(_ to_fp_unsigned {size}) {payload}"
        if op == Op.FP_FROM_BITS:
            return f"(_ to_fp {size})"
    return op


class _Printer:
    """Prints one term of total operators; ``pieces`` collects the text."""

    def __init__(self, root: Term) -> None:
        self.pieces: list[str] = []
        nodes = subterms(root)
        taken = {node.name for node in nodes if node.op == Op.VAR}
        self._prefix = "?"
        while any(name.startswith(self._prefix) for name in taken):
            self._prefix += "?"
        self._names: dict[Term, str] = {}
        self._run(root)

    def _run(self, root: Term) -> None:
        """A stack of texts, terms to print, and regions (a root or the body of a quantifier,
        whose shared parts are bound at its top)."""
        stack: list[Any] = [("region", root)]
        while stack:
            item = stack.pop()
            if isinstance(item, str):
                self.pieces.append(item)
            elif isinstance(item, Term):
                stack.extend(reversed(self._reference(item)))
            elif item[0] == "region":
                stack.extend(reversed(self._region(item[1])))
            elif item[0] == "name":
                self._names[item[1]] = item[2]
            elif item[0] == "forget":
                for term in item[1]:
                    del self._names[term]
            elif item[0] == "body":
                stack.extend(reversed(self._body(item[1])))
            elif item[0] == "restore":
                self._names.update(item[1])

    def _region(self, root: Term) -> list[Any]:
        shared = self._shared(root)
        parts: list[Any] = []
        for term in shared:
            name = f"{self._prefix}{term.id}"
            parts += [f"(let (({name} ", *self._node(term), ")) ", ("name", term, name)]
        parts += [root, ")" * len(shared)]
        if shared:
            parts.append(("forget", shared))
        return parts

    def _body(self, quantified: Term) -> list[Any]:
        """A quantifier's body, where names of terms with a variable that it binds do not hold."""
        bound = frozenset(quantified.payload)
        hidden = {term: name for term, name in self._names.items() if free_vars(term) & bound}
        for term in hidden:
            del self._names[term]
        return [("region", quantified.args[0]), ("restore", hidden)]

    def _shared(self, root: Term) -> list[Term]:
        """Compound nodes used twice or more, not looking into quantifiers; arguments first."""
        uses: dict[Term, int] = {root: 0}
        stack = [root]
        while stack:
            node = stack.pop()
            for arg in () if node.op in _QUANTIFIERS else node.args:
                if arg in self._names or not arg.args:
                    continue
                if arg not in uses:
                    uses[arg] = 0
                    stack.append(arg)
                uses[arg] += 1
        return sorted((node for node, count in uses.items() if count > 1), key=lambda node: node.id)

    def _reference(self, term: Term) -> list[Any]:
        name = self._names.get(term)
        return self._node(term) if name is None else [name]

    def _node(self, term: Term) -> list[Any]:
        if term.op == Op.VAR:
            return [symbol(term.name)]
        if term.op == Op.CONST:
            return [value_text(term.value, term.sort)]
        if term.op in _QUANTIFIERS:
            bound = " ".join(f"({symbol(v.name)} {sort_text(v.sort)})" for v in term.payload)
            return [f"({term.op} ({bound}) ", ("body", term), ")"]
        if not term.args:  # a function of no arguments
            return [_head(term)]
        parts: list[Any] = [f"({_head(term)}"]
        for arg in term.args:
            parts += [" ", arg]
        return [*parts, ")"]


def print_term(term: Term) -> str:
    """One term. Its variables need declarations elsewhere."""
    return "".join(_Printer(totalized(term)).pieces)


def print_script(
    assertions: Iterable[Term], logic: str | None = None, declare: Iterable[Term] = ()
) -> str:
    """A whole problem: declarations, one ``assert`` per formula, ``check-sat``.

    ``declare`` names variables to declare even if they do not occur.
    """
    formulas = list(assertions)
    lines = [f"(set-logic {logic})"] if logic else []
    variables = sorted({*declare, *free_vars_of(formulas)}, key=lambda v: (v.name, v.id))
    nodes = subterms(*formulas)
    functions: dict[FunctionSymbol, None] = dict.fromkeys(
        node.payload for node in nodes if node.op == Op.APPLY
    )
    _require_distinct([v.name for v in variables] + [f.name for f in functions])
    sorts = {node.sort for node in nodes} | {v.sort for v in variables}
    sorts |= {sort for function in functions for sort in function.domain}
    lines += sort_declarations(sorts)
    lines += [f"(declare-const {symbol(v.name)} {sort_text(v.sort)})" for v in variables]
    for function in functions:
        domain = " ".join(sort_text(sort) for sort in function.domain)
        lines.append(f"(declare-fun {symbol(function.name)} ({domain}) {sort_text(function.range)})")
    lines += [f"(assert {print_term(formula)})" for formula in formulas]
    return "\n".join([*lines, "(check-sat)", ""])


def sort_declarations(sorts: Iterable[Sort]) -> list[str]:
    """A ``declare-sort`` for each sort that occurs in these and needs one."""
    return [f"(declare-sort {symbol(name)} 0)" for name in sorted(_uninterpreted(sorts))]


def declared_sorts(terms: Iterable[Term]) -> list[str]:
    """The names of the sorts in the terms that a script has to declare, as SMT-LIB writes them."""
    sorts = {node.sort for node in subterms(*terms)}
    return [symbol(name) for name in sorted(_uninterpreted(sorts))]


def _uninterpreted(sorts: Iterable[Sort]) -> set[str]:
    names = set()
    stack = list(sorts)
    while stack:
        sort = stack.pop()
        if isinstance(sort, ArraySort):
            stack += [sort.index, sort.element]
        elif isinstance(sort, UninterpretedSort):
            names.add(sort.name)
    return names


def _require_distinct(names: list[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ModelError(f"two symbols are called {name}; SMT-LIB needs different names")
        seen.add(name)
