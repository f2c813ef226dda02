"""Layers and the disjunction so far, written as on a blackboard: ``at l2 and y >= z``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from revet.engines.post.reached import Image
from revet.events import Arrow, Box, Explained
from revet.logic.linear import linear_form
from revet.logic.pretty import pretty
from revet.logic.sorts import INT, REAL
from revet.logic.terms import TRUE, Op, Term
from revet.logic.walk import conjuncts, disjuncts
from revet.model.cfa import Cfa, Location

NAME = "post"
_SYMBOLS = {Op.LE: ("<=", ">="), Op.LT: ("<", ">"), Op.EQ: ("=", "=")}


class Writer:
    """Formulas with the variables in the order of their declaration: ``y >= z``, not ``z <= y``."""

    def __init__(self, variables: Sequence[Term]) -> None:
        self._order = {variable: number for number, variable in enumerate(variables)}

    def formula(self, formula: Term) -> str:
        if formula is TRUE:
            return "true"
        if formula.op == Op.OR:
            return " or ".join(map(self.formula, disjuncts(formula)))
        ordered = sorted(conjuncts(formula), key=self._place, reverse=True)
        return " and ".join(self._literal(literal) for literal in ordered)

    def _place(self, literal: Term) -> int:
        """The notes put ``y >= z`` before ``x >= y``: what the later variables say comes first."""
        numbers = [self._order[base] for base in _bases(literal) if base in self._order]
        return min(numbers, default=len(self._order))

    def _literal(self, literal: Term) -> str:
        negated = literal.op == Op.NOT and literal.args[0].op == Op.EQ
        atom = literal.args[0] if negated else literal
        if not _is_linear(atom):
            return f"({pretty(literal)})" if literal.op in (Op.OR, Op.ITE) else pretty(literal)
        form, constant = linear_form(atom.args[0] - atom.args[1])
        ordered = dict(sorted(form.items(), key=lambda pair: self._order.get(pair[0], len(self._order))))
        sign = 1 if next(iter(ordered.values()), 1) > 0 else -1
        ahead = [(sign * f, base) for base, f in ordered.items() if sign * f > 0]
        behind = [(-sign * f, base) for base, f in ordered.items() if sign * f < 0]
        left, right = _sum(ahead, max(sign * constant, 0)), _sum(behind, max(-sign * constant, 0))
        symbol = "!=" if negated else _SYMBOLS[atom.op][0 if sign > 0 else 1]
        return f"{left} {symbol} {right}"

    def disjunct(self, location: Location, states: Term, mark: str = "") -> str:
        text = f"({self.formula(states)})" if states.op == Op.OR else self.formula(states)
        condition = "" if states is TRUE else f" and {text}"
        return f"at {location.name}{condition}{mark}"


def _is_linear(atom: Term) -> bool:
    return atom.op in _SYMBOLS and atom.args[0].sort in (INT, REAL)


def _bases(literal: Term) -> list[Term]:
    atom = literal.args[0] if literal.op == Op.NOT else literal
    return list(linear_form(atom.args[0] - atom.args[1])[0]) if _is_linear(atom) else [atom]


def _sum(parts: Sequence[tuple[int | Fraction, Term]], constant: int | Fraction) -> str:
    texts = [pretty(base) if factor == 1 else f"{factor}*{pretty(base)}" for factor, base in parts]
    if constant or not texts:
        texts.append(str(constant))
    return " + ".join(texts)


def explained(
    cfa: Cfa,
    title: str,
    layer: Sequence[Image],
    so_far: Mapping[Location, list[Term]],
    images: Sequence[Image],
) -> Explained:
    """The layer's images and the disjunction so far; drawn as the tree of all images."""
    writer = Writer(cfa.variables)
    new = [writer.disjunct(i.location, i.states, " (known)" if i.known else "") for i in layer]
    known = [
        writer.disjunct(location, states)
        for location in cfa.locations
        for states in so_far.get(location, ())
    ]
    lines = [*(f"  {line}" for line in new or ["nothing"]), "so far", *(f"  {line}" for line in known)]
    keys = {image: str(number) for number, image in enumerate(images)}
    errors = set(cfa.errors)
    boxes = [_box(keys[image], image, writer, errors) for image in images]
    arrows = [
        Arrow(keys[image.parent], keys[image], str(image.edge))
        for image in images
        if image.parent is not None
    ]
    return Explained(NAME, title, "\n".join(lines), tuple(boxes), tuple(arrows))


def _box(key: str, image: Image, writer: Writer, errors: set[Location]) -> Box:
    kind = "initial" if image.parent is None else "covered" if image.known else ""
    text = writer.formula(image.states)
    return Box(key, f"{image.location.name}  (layer {image.layer})", (text,),
               "error" if image.location in errors else kind)
