"""Array cells: an automaton with arrays becomes one without, which watches a few cells.

Monniaux and Gonnord, *Cell morphing: from array programs to array-free Horn clauses* (SAS 2016),
in its linear form. A *cell* is a place that is chosen once, before the run, and then watched in
every array: a parameter ``k`` that never changes, and for each array ``a`` a variable that holds
``a[k]``. A write to ``a[e]`` changes it if ``e = k``; a read of ``a[e]`` gives it if ``e = k`` and
any value otherwise. All choices of ``k`` together cover every run of the program, so an invariant
``I(x, k, a[k])`` of the result says ``forall k. I(x, k, a[k])`` of the program: quantified
invariants from engines that know nothing of arrays or quantifiers.

What is read on the way into an error decides which cells are worth watching. An error edge that
reads ``a[e]`` may be left out unless ``e = k``, because some choice of ``k`` satisfies that. If it
reads ``a[x]`` and ``b[5*x + 1]``, the cells are ``k`` and ``5*k + 1``: one parameter for all places
that move together (:class:`_Shape`).

What holds of the result: its edges correspond to the program's one by one; it has more runs, never
fewer. So *safe* carries over (each formula quantified over the parameters) and *unsafe* does not
(:class:`~revet.transform.reduction.Spurious`). Equality of whole arrays, and arrays in arrays, become
arbitrary values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import gcd

from revet.logic.arith import add, mul
from revet.logic.arrays import select
from revet.logic.core import and_, conjunction, const, eq, forall, implies, ite
from revet.logic.linear import linear_form
from revet.logic.sorts import INT, ArraySort
from revet.logic.terms import Op, Term
from revet.logic.walk import conjuncts, free_vars, free_vars_of, rewrite, substitute, subterms
from revet.model.cfa import Cfa, Edge
from revet.model.definitions import inlined, split_definitions, unfolded
from revet.model.names import Fresh, content_stem
from revet.model.relation import Relation
from revet.model.statements import Block
from revet.result.certificate import Certificate, Exhausted, LocationInvariants
from revet.result.trace import CfaTrace
from revet.transform.reduction import Reduction, Spurious, unchanged

MOST = 3
"""Cells at most: each costs a variable for every array."""

_PAIRS = 12
"""Reads of one array on one edge whose indices are compared with each other."""


@dataclass(frozen=True, eq=False)
class Cell:
    """A place ``index`` (a parameter, or a term over one) and what the arrays hold there."""

    index: Term
    content: Mapping[Term, Term]


@dataclass(frozen=True, eq=False)
class _Shape:
    """Places that move together: ``base``, and others as ``factor * base + offset``."""

    base: Term
    others: tuple[tuple[int, int], ...] = ()

    def cells(self, parameter: Term) -> list[Term]:
        return [parameter, *(add(mul(const(f, INT), parameter), const(d, INT)) for f, d in self.others)]


def array_cells(cfa: Cfa) -> Reduction:
    """See the module's text."""
    arrays = [x for x in cfa.variables if isinstance(x.sort, ArraySort)]
    if not arrays:
        return unchanged(cfa)
    shapes = {e: _shapes(_read_places(cfa, e)) for e in cfa.edges if e.target in cfa.errors}
    parameters, cells = _choose(arrays, shapes.values(), cfa.fresh)
    edges = {edge: _abstract(cfa, edge, cells) for edge in cfa.edges}
    for edge, found in shapes.items():
        edges[edge] = _focus(edges[edge], parameters, found)
    contents = [value for cell in cells for value in cell.content.values()]
    scalars = [x for x in cfa.variables if not isinstance(x.sort, ArraySort)]
    model = replace(
        cfa,
        variables=(*scalars, *parameters, *contents),
        edges=tuple(edges.values()),
        precondition=_precondition(cfa, cells),
    )
    return Reduction(
        model, _no_trace_back, lambda certificate: _certificate_back(parameters, cells, certificate)
    )


def _shapes(places: list[Term]) -> list[_Shape]:
    """The places of one error edge in groups that move together; those near the error first."""
    groups: dict[object, list[tuple[Term, int, int]]] = {}
    for place in reversed(places):
        if place.sort is not INT:
            groups[place] = [(place, 1, 0)]
            continue
        coefficients, constant = linear_form(place)
        scale = gcd(*map(int, coefficients.values())) or 1
        scale = -scale if next(iter(coefficients.values()), 1) < 0 else scale
        direction = tuple((x, int(c) // scale) for x, c in coefficients.items())
        groups.setdefault(direction, []).append((place, scale, int(constant)))
    return [_shape(group) for group in groups.values()]


def _shape(group: list[tuple[Term, int, int]]) -> _Shape:
    base, scale, constant = min(group, key=lambda member: abs(member[1]))
    others = [
        (s // scale, c - s // scale * constant)
        for place, s, c in group
        if place is not base and s % scale == 0
    ]
    return _Shape(base, tuple(others))


def _choose(
    arrays: Sequence[Term], shapes: Iterable[list[_Shape]], fresh: Fresh
) -> tuple[list[Term], list[Cell]]:
    """Parameters, and the cells that error edges ask for most urgently."""
    parameters: list[Term] = []
    wanted: dict[Term, None] = {}
    for found in shapes:
        for shape, parameter in _assigned(found, parameters, fresh):
            wanted.update(dict.fromkeys(shape.cells(parameter)))
    cells = []
    for index in list(wanted)[:MOST]:
        content = {
            a: fresh(content_stem(a), a.sort.element)
            for a in arrays
            if isinstance(a.sort, ArraySort) and a.sort.index is index.sort and _is_flat(a.sort)
        }
        cells.append(Cell(index, content))
    used = free_vars_of(cell.index for cell in cells)
    return [p for p in parameters if p in used], cells


def _assigned(
    shapes: list[_Shape], parameters: list[Term], fresh: Fresh | None = None
) -> Iterator[tuple[_Shape, Term]]:
    """Each shape with a parameter of its sort, a new one where ``fresh`` allows it."""
    left = list(parameters)
    for shape in shapes:
        parameter = next((p for p in left if p.sort is shape.base.sort), None)
        if parameter is None:
            if fresh is None or len(parameters) == MOST:
                return
            parameter = fresh("cell", shape.base.sort)
            parameters.append(parameter)
        else:
            left.remove(parameter)
        yield shape, parameter


def _focus(edge: Edge, parameters: list[Term], shapes: list[_Shape]) -> Edge:
    """The error edge for those choices of the parameters that watch what it reads."""
    (block,) = edge.statements
    assert isinstance(block, Block)
    conditions = [eq(parameter, shape.base) for shape, parameter in _assigned(shapes, parameters)]
    guard = and_(*conditions, block.relation.guard)
    return replace(edge, statements=(Block(replace(block.relation, guard=guard)),))


def _is_flat(sort: ArraySort) -> bool:
    return not isinstance(sort.element, ArraySort)


def _relation(cfa: Cfa, edge: Edge) -> Relation:
    """The edge without the local names of intermediate arrays."""
    relation = cfa.relation(edge)
    return inlined(relation, [x for x in relation.locals if isinstance(x.sort, ArraySort)])


def _read_places(cfa: Cfa, edge: Edge) -> list[Term]:
    """The places of arrays that the edge reads, in terms of the cell-free automaton."""
    reads = _Reads((), Fresh(cfa.variables))
    relation = _relation(cfa, edge)
    reads.scalar(relation.guard)
    places = dict.fromkeys(place for _, place in reads.values)
    made = frozenset(reads.values.values()) | frozenset(reads.anything)
    # a place that was itself read from an array is named only later, while the edge is abstracted
    return [place for place in places if not free_vars(place) & made]


def _abstract(cfa: Cfa, edge: Edge, cells: Sequence[Cell]) -> Edge:
    relation = _relation(cfa, edge)
    reads = _Reads(cells, cfa.fresh)
    guard = reads.scalar(relation.guard)
    updates: dict[Term, Term] = {}
    for variable, value in relation.updates.items():
        if not isinstance(variable.sort, ArraySort):
            updates[variable] = reads.scalar(value)
            continue
        after = rewrite(value, reads.rule, reads.memo)
        for cell in cells:
            if variable in cell.content:
                updates[cell.content[variable]] = reads.read(after, cell.index)
    conditions = [guard, *reads.consistency()]
    kept = [x for x in relation.locals if not isinstance(x.sort, ArraySort)]
    made = Relation(
        and_(*conditions),
        {x: value for x, value in updates.items() if value is not x},
        (*kept, *reads.locals()),
    )
    return replace(edge, statements=(Block(made),))


def _precondition(cfa: Cfa, cells: Sequence[Cell]) -> Term:
    """What is known of the cells at the start; conditions on other places are dropped."""
    arrays = [x for x in cfa.variables if isinstance(x.sort, ArraySort)]
    definitions, rest = split_definitions(conjuncts(cfa.precondition), arrays)
    values = unfolded(definitions)
    reads = _Reads(cells, cfa.fresh)
    known = [reads.scalar(substitute(formula, values)) for formula in rest]
    for cell in cells:
        for array, content in cell.content.items():
            if array in values:
                known.append(eq(content, reads.read(rewrite(values[array], reads.rule), cell.index)))
    strangers = frozenset(reads.locals())
    known = [formula for formula in known if not free_vars(formula) & strangers]
    for one, other in combinations(cells, 2):
        if one.index.sort is other.index.sort:
            same = (eq(one.content[array], other.content[array]) for array in one.content)
            known.append(implies(eq(one.index, other.index), and_(*same)))
    return conjunction(known)


@dataclass
class _Reads:
    """What an edge reads from arrays, as scalars."""

    cells: Sequence[Cell]
    fresh: Fresh
    values: dict[tuple[Term, Term], Term] = field(default_factory=dict)
    """The variable for what a base array holds at a place that is no cell."""
    anything: list[Term] = field(default_factory=list)
    memo: dict[Term, Term] = field(default_factory=dict)

    def scalar(self, term: Term) -> Term:
        return rewrite(term, self.rule, self.memo)

    def rule(self, node: Term) -> Term:
        """Sees every node after its arguments: arrays are still arrays, what is read is not."""
        if isinstance(node.sort, ArraySort):
            return node
        if node.op == Op.SELECT:
            return self.read(*node.args)
        if any(isinstance(arg.sort, ArraySort) for arg in node.args):
            made = self.fresh("any", node.sort)
            self.anything.append(made)
            return made
        return node

    def read(self, array: Term, place: Term) -> Term:
        """``array[place]``: stores and choices become cases."""
        found: dict[Term, Term] = {}
        for node in subterms(array):
            if node.sort is not array.sort:
                continue
            if node.op == Op.STORE:
                inner, index, value = node.args
                found[node] = ite(eq(index, place), value, found[inner])
            elif node.op == Op.ITE:
                condition, yes, no = node.args
                found[node] = ite(condition, found[yes], found[no])
            elif node.op == Op.CONST_ARRAY:
                found[node] = node.args[0]
            else:
                found[node] = self._base(node, place)
        return found[array]

    def _base(self, array: Term, place: Term) -> Term:
        for cell in self.cells:
            if cell.index is place and array in cell.content:
                return cell.content[array]
        made = self.values.get((array, place))
        if made is None:
            assert isinstance(array.sort, ArraySort)
            made = self.values[array, place] = self.fresh("read", array.sort.element)
        return made

    def locals(self) -> list[Term]:
        scalars = [x for x in self.values.values() if not isinstance(x.sort, ArraySort)]
        return [*scalars, *self.anything]

    def consistency(self) -> list[Term]:
        """The same place of the same array holds the same value, above all in a cell."""
        conditions = []
        by_array: dict[Term, list[tuple[Term, Term]]] = {}
        for (array, place), value in self.values.items():
            if isinstance(value.sort, ArraySort):
                continue
            by_array.setdefault(array, []).append((place, value))
            for cell in self.cells:
                if array in cell.content and cell.index.sort is place.sort:
                    conditions.append(implies(eq(place, cell.index), eq(value, cell.content[array])))
        for reads in by_array.values():
            for (i, v), (j, w) in combinations(reads[:_PAIRS], 2):
                conditions.append(implies(eq(i, j), eq(v, w)))
        return conditions


def _no_trace_back(trace: CfaTrace) -> CfaTrace:
    raise Spurious("watching some cells of the arrays was not enough")


def _certificate_back(
    parameters: Sequence[Term], cells: Sequence[Cell], certificate: Certificate
) -> Certificate:
    """Each formula holds for every choice of the parameters."""
    assert isinstance(certificate, (Exhausted, LocationInvariants))
    if certificate.simple_path:
        raise Spurious("states that differ in other cells only were taken for the same")
    if isinstance(certificate, Exhausted):
        return certificate
    contents = {
        content: select(array, cell.index) for cell in cells for array, content in cell.content.items()
    }
    formulas = {}
    for location, formula in certificate.formulas.items():
        parts = []
        for part in conjuncts(formula):
            concrete = substitute(part, contents)
            bound = [parameter for parameter in parameters if parameter in free_vars(concrete)]
            parts.append(forall(bound, concrete) if bound else concrete)
        formulas[location] = conjunction(parts)
    return replace(certificate, formulas=formulas)
