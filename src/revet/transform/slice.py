"""Cone of influence: variables that cannot influence whether a property fails go.

Automaton: a variable matters if an assumption or the precondition mentions it, or if it is used
in an assignment to a variable that matters. Statements that write other variables are dropped.

Transition system: a variable matters if a property, an invariant or the guard mentions it, or if
it is used in the update of one that matters. Conjuncts of the guard that only define an input
(``input = term``) matter if the input does. The initial condition makes its variables matter,
except for conjuncts that define one that does not matter otherwise (``x = y + 1``, ``p``, ``not p``).

Back: certificates hold as they are. Traces get values for the dropped variables by executing the
original model.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from revet.errors import ModelError
from revet.logic.core import conjunction
from revet.logic.evaluate import Evaluator
from revet.logic.terms import TRUE, Op, Term
from revet.logic.values import Value, default_value
from revet.logic.walk import conjuncts, free_vars, free_vars_of, reachable_vars
from revet.model.cfa import Cfa, Edge
from revet.model.execute import draws, execute, recover_draws
from revet.model.relation import Relation
from revet.model.statements import Assign, Assume, Block, Havoc, Statement
from revet.model.system import TransitionSystem
from revet.result.trace import CfaTrace, State, SystemTrace
from revet.transform.reduction import Reduction, unchanged
from revet.transform.solve import chosen


def slice_cfa(cfa: Cfa) -> Reduction:
    """Cone of influence of an automaton; clean it first, so that only live edges count."""
    roots: set[Term] = set(free_vars(cfa.precondition))
    uses: dict[Term, set[Term]] = {}
    for edge in cfa.edges:
        for statement in edge.statements:
            match statement:
                case Assume(condition):
                    roots |= free_vars(condition)
                case Assign(variable, value):
                    uses.setdefault(variable, set()).update(free_vars(value))
                case Block(relation):
                    roots |= free_vars(relation.guard)
                    for variable, value in relation.updates.items():
                        uses.setdefault(variable, set()).update(free_vars(value))
                case Havoc():
                    pass
    cone = _closure(roots, uses)
    variables = tuple(x for x in cfa.variables if x in cone)
    if variables == cfa.variables:
        return unchanged(cfa)
    made = {_sliced(edge, cone): edge for edge in cfa.edges}
    model = replace(cfa, variables=variables, edges=tuple(made))
    return Reduction(model, lambda trace: _run_back(cfa, model, made, trace), lambda certificate: certificate)


def _closure(roots: Iterable[Term], uses: Mapping[Term, Iterable[Term]]) -> set[Term]:
    """Everything reachable from ``roots`` through ``uses``."""
    cone = set(roots)
    stack = list(cone)
    while stack:
        for used in uses.get(stack.pop(), ()):
            if used not in cone:
                cone.add(used)
                stack.append(used)
    return cone


def _sliced(edge: Edge, cone: set[Term]) -> Edge:
    kept: list[Statement] = []
    for statement in edge.statements:
        match statement:
            case Assign(variable) | Havoc(variable):
                if variable in cone:
                    kept.append(statement)
            case Block(relation):
                updates = {x: value for x, value in relation.updates.items() if x in cone}
                kept.append(Block(Relation(relation.guard, updates, relation.locals)))
            case Assume():
                kept.append(statement)
    # the text names what the user wrote, also where it no longer matters
    return replace(edge, statements=tuple(kept), text=str(edge))


def _run_back(cfa: Cfa, model: Cfa, made: Mapping[Edge, Edge], trace: CfaTrace) -> CfaTrace:
    """The same edges, executed with all variables."""
    states: list[State] = [{**_defaults(cfa.variables), **trace.states[0]}]
    inputs: list[State] = []
    edges = tuple(made[edge] for edge in trace.edges)
    for step, edge in enumerate(edges):
        new = trace.edges[step]
        given = trace.inputs[step] if step < len(trace.inputs) else {}
        known = iter(recover_draws(new.statements, model.relation(new).locals, given, trace.states[step + 1]))
        kept = set(draws(new.statements))
        drawn = [next(known) if x in kept else default_value(x.sort) for x in draws(edge.statements)]
        states.append(execute(edge.statements, states[-1], drawn))
        inputs.append(dict(zip(cfa.relation(edge).locals, drawn, strict=True)))
    return CfaTrace(trace.locations, tuple(states), edges, tuple(inputs))


def _defaults(variables: Iterable[Term]) -> dict[Term, Value]:
    return {x: default_value(x.sort) for x in variables}


def slice_system(system: TransitionSystem) -> Reduction:
    """Cone of influence of a transition system."""
    definitions, constraints = _definitions(system.step)
    roots = [*system.properties.values(), *system.invariants, *constraints]
    cone, start, fixed = _with_initial(system, roots, {**system.step.updates, **definitions})
    variables = tuple(x for x in system.variables if x in cone)
    if variables == system.variables:
        return unchanged(system)
    guard = [c for c in conjuncts(system.step.guard) if (x := _defined(c, definitions)) is None or x in cone]
    step = Relation(
        conjunction(guard),
        {x: value for x, value in system.step.updates.items() if x in cone},
        tuple(x for x in system.step.locals if x in cone),
    )
    model = replace(system, variables=variables, init=conjunction(start), step=step)
    return Reduction(
        model,
        lambda trace: _system_trace_back(system, fixed, definitions, trace),
        lambda certificate: certificate,
    )


def _definitions(step: Relation) -> tuple[dict[Term, Term], list[Term]]:
    """The conjuncts of the guard that define an input by older ones, and the others."""
    inputs = set(step.locals)
    found: dict[Term, Term] = {}
    others: list[Term] = []
    used: set[Term] = set()  # in definitions so far: defining these later could close a cycle
    for formula in conjuncts(step.guard):
        for local, value in _equations(formula):
            if local in inputs and local not in found and local not in used and local not in free_vars(value):
                found[local] = value
                used |= free_vars(value)
                break
        else:
            others.append(formula)
    return found, others


def _equations(formula: Term) -> list[tuple[Term, Term]]:
    """The formula as ``variable = term``, in either direction."""
    if formula.op != Op.EQ:
        return []
    left, right = formula.args
    return [pair for pair in ((left, right), (right, left)) if pair[0].is_var]


def _defined(formula: Term, definitions: Mapping[Term, Term]) -> Term | None:
    for local, value in _equations(formula):
        if definitions.get(local) is value:
            return local
    return None


def _with_initial(
    system: TransitionSystem, roots: list[Term], uses: Mapping[Term, Term]
) -> tuple[set[Term], list[Term], dict[Term, Term]]:
    """The cone of the roots and of the initial condition; what the latter says of the cone's variables; and
    what it says the others are, over the cone and those of which it says nothing."""
    initial = [part for part in conjuncts(system.init) if part is not TRUE]
    cone = set(reachable_vars(roots, uses))
    while True:
        outside = {x for x in system.variables if x not in cone}
        rest, fixed = chosen(initial, outside)
        more = free_vars_of(rest) - cone
        if not more:
            return cone, rest, fixed
        cone |= reachable_vars(more, uses)


def _system_trace_back(
    system: TransitionSystem,
    fixed: Mapping[Term, Term],
    definitions: Mapping[Term, Term],
    trace: SystemTrace,
) -> SystemTrace:
    known = {**_defaults(x for x in system.variables if x not in fixed), **trace.states[0]}
    evaluator = Evaluator(known)
    states: list[State] = [{x: evaluator(fixed.get(x, x)) for x in system.variables}]
    inputs: list[State] = []
    for given in trace.inputs:
        free = (x for x in system.inputs if x in given or x not in definitions)
        known = {x: given.get(x, default_value(x.sort)) for x in free}
        evaluator = Evaluator({**states[-1], **known})
        for local, value in definitions.items():  # each uses only inputs defined before it
            if local not in known:
                evaluator.define(local, _value_of(value, evaluator))
        inputs.append({x: evaluator(x) for x in system.inputs})
        states.append({x: evaluator(system.step.after(x)) for x in system.variables})
    return SystemTrace(tuple(states), tuple(inputs), trace.violated)


def _value_of(value: Term, evaluator: Evaluator) -> Value:
    """The value of a definition outside of the cone; any if it has quantifiers that cannot be evaluated, for
    the violation does not depend on it."""
    try:
        return evaluator(value)
    except ModelError:
        if not value.quantified:
            raise
        return default_value(value.sort)
