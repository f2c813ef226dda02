"""Accept a verdict only with its evidence: certificates by fresh queries, traces by evaluation."""

from __future__ import annotations

from revet.logic import build as b
from revet.logic.evaluate import Evaluator
from revet.model.system import TransitionSystem
from revet.model.unroll import Unroller
from revet.result import Exhausted, KInductive, Safe, SystemTrace, Unsafe, Verdict
from revet.smt import Status, default_backend


def confirmed(system: TransitionSystem, verdict: Verdict) -> str:
    """'safe' or 'unsafe' if the evidence holds; fails otherwise."""
    match verdict:
        case Safe(KInductive() as certificate):
            _k_inductive(system, certificate)
            return "safe"
        case Safe(Exhausted() as certificate):
            _exhausted(system, certificate)
            return "safe"
        case Unsafe(SystemTrace() as trace):
            _replay(system, trace)
            return "unsafe"
    raise AssertionError(f"no verdict with evidence: {verdict}")


def _compressed(u: Unroller, k: int) -> list:
    found = [b.not_(u.at(b.and_(u.system.init, u.system.invariant), i)) for i in range(1, k + 1)]
    for i in range(k + 1):
        for j in range(i):
            found.append(b.disjunction(u.at(x, i).ne(u.at(x, j)) for x in u.system.variables))
    return found


def _k_inductive(system: TransitionSystem, certificate: KInductive) -> None:
    u, k, f = Unroller(system), certificate.k, certificate.formula
    solver = default_backend().solver()
    path = [u.step(i) for i in range(k)]
    for depth in range(k):
        assert solver.check([u.init(), *path[:depth], b.not_(u.at(f, depth))]) is Status.UNSAT
    simple = _compressed(u, k) if certificate.simple_path else []
    start = u.at(system.invariant, 0)
    good = [u.at(f, i) for i in range(k)]
    assert solver.check([start, *path, *good, *simple, b.not_(u.at(f, k))]) is Status.UNSAT
    assert solver.check([start, u.at(f, 0), b.not_(u.at(system.property, 0))]) is Status.UNSAT


def _exhausted(system: TransitionSystem, certificate: Exhausted) -> None:
    assert not certificate.backward
    u, depth = Unroller(system), certificate.depth
    solver = default_backend().solver()
    solver.add(u.init())
    for i in range(depth):
        assert solver.check([b.not_(u.at(system.property, i))]) is Status.UNSAT
        solver.add(u.step(i))
    simple = _compressed(u, depth) if certificate.simple_path else []
    assert solver.check(simple) is Status.UNSAT


def _replay(system: TransitionSystem, trace: SystemTrace) -> None:
    assert len(trace.inputs) == len(trace.states) - 1
    assert Evaluator(trace.states[0])(system.init)
    for state in trace.states:
        assert Evaluator(state)(system.invariant)
    for before, inputs, after in zip(trace.states, trace.inputs, trace.states[1:], strict=False):
        both = Evaluator({**before, **inputs})
        assert both(system.step.guard)
        assert {x: both(system.step.after(x)) for x in system.variables} == dict(after)
    assert not Evaluator(trace.states[-1])(system.properties[trace.violated])
