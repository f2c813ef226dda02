"""What the default strategy looks at in a model before it chooses engines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from revet.frontends.program import Program
from revet.logic.sorts import BOOL, INT, REAL, ArraySort, BitVecSort, FloatSort
from revet.logic.terms import Op, Term
from revet.logic.walk import subterms
from revet.model.cfa import Cfa
from revet.model.circuit import Circuit
from revet.model.statements import Assign, Assume, Block, Havoc
from revet.model.system import TransitionSystem
from revet.records import Record
from revet.transform.reduction import Model


class Features(Record):
    """Facts about a model; ``None`` never occurs, so conditions on them read plainly."""

    automaton: bool
    size: int
    loops: bool
    variables: int
    booleans_only: bool
    integers: bool
    reals: bool
    bit_vectors: bool
    floats: bool
    arrays: bool
    nonlinear: bool
    functions: bool
    circuit: bool = False
    executable: bool = False
    """There is an interpreter that can run the source with inputs of its own choice."""
    recursive: bool = False
    """The program also has a model with its recursive procedures."""

    @property
    def made_of_bits(self) -> bool:
        """Only Booleans and bit-vectors: it can be a circuit."""
        return not (self.integers or self.reals or self.floats or self.arrays or self.functions)

    def describe(self) -> str:
        """One line for ``--explain-choice``."""
        kind = "automaton" if self.automaton else "circuit" if self.circuit else "transition system"
        words = [f"{kind} of size {self.size} with {self.variables} variables"]
        words.append("loops" if self.loops else "no loops")
        for name in ("integers", "reals", "bit_vectors", "floats", "arrays", "nonlinear", "functions"):
            if getattr(self, name):
                words.append(name.replace("_", "-"))
        return ", ".join(words)


def features_of_program(program: Program) -> Features:
    executable, recursive = program.explore is not None, program.procedures is not None
    return replace(features_of(program.model), executable=executable, recursive=recursive)


def features_of(model: Model) -> Features:
    if isinstance(model, Circuit):
        return Features(
            automaton=False, size=model.gates, loops=True, variables=model.latches, booleans_only=True,
            integers=False, reals=False, bit_vectors=False, floats=False, arrays=False, nonlinear=False,
            functions=False, circuit=True,
        )
    terms = list(_terms(model))
    nodes = subterms(*terms) if terms else []
    sorts = {node.sort for node in nodes} | {variable.sort for variable in model.variables}
    automaton = isinstance(model, Cfa)
    return Features(
        automaton=automaton,
        size=len(model.edges) if isinstance(model, Cfa) else len(nodes),
        loops=_has_cycle(model) if isinstance(model, Cfa) else True,
        variables=len(model.variables),
        booleans_only=sorts <= {BOOL},
        integers=INT in sorts,
        reals=REAL in sorts,
        bit_vectors=any(isinstance(sort, BitVecSort) for sort in sorts),
        floats=any(isinstance(sort, FloatSort) for sort in sorts),
        arrays=any(isinstance(sort, ArraySort) for sort in sorts),
        nonlinear=any(_is_nonlinear(node) for node in nodes),
        functions=any(node.op == Op.APPLY for node in nodes),
    )


def _terms(model: Cfa | TransitionSystem) -> Iterable[Term]:
    if not isinstance(model, Cfa):
        yield from (model.init, model.step.guard, *model.step.updates.values())
        yield from (*model.invariants, *model.properties.values())
        return
    yield model.precondition
    for edge in model.edges:
        for statement in edge.statements:
            match statement:
                case Assign(_, value):
                    yield value
                case Assume(condition):
                    yield condition
                case Block(relation):
                    yield relation.guard
                    yield from relation.updates.values()
                case Havoc():
                    pass


def _is_nonlinear(node: Term) -> bool:
    if node.op == Op.MUL:
        return sum(arg.op != Op.CONST for arg in node.args) > 1
    if node.op in (Op.DIV, Op.MOD, Op.RDIV):
        return node.args[1].op != Op.CONST
    return False


def _has_cycle(cfa: Cfa) -> bool:
    """Take away locations that nothing leads to, again and again: what is left is on a cycle."""
    entering = Counter(edge.target for edge in cfa.edges)
    free = [location for location in cfa.locations if not entering[location]]
    for location in free:
        for edge in cfa.outgoing[location]:
            entering[edge.target] -= 1
            if not entering[edge.target]:
                free.append(edge.target)
    return len(free) < len(cfa.locations)
