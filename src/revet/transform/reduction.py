"""What a pass returns, and how passes compose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from revet.result.verdict import Safe, Unknown, Unsafe

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from revet.model.relation import Relation
    from revet.result.certificate import Certificate
    from revet.result.trace import State, Trace
    from revet.result.verdict import Verdict


class Spurious(Exception):
    """Raised while evidence is carried back through an abstraction: it says nothing of the program."""


class NoControl(Exception):
    """Raised by :mod:`revet.transform.control`: a system's control flow cannot be made out."""


@dataclass(frozen=True, eq=False)
class Reduction:
    """``model`` is the pass's result; the two functions carry evidence *back* to its input."""

    model: Any
    trace_back: Callable[[Any], Trace]
    certificate_back: Callable[[Any], Certificate]

    def verdict_back(self, verdict: Verdict) -> Verdict:
        try:
            match verdict:
                case Safe(certificate):
                    return Safe(self.certificate_back(certificate))
                case Unsafe(trace):
                    return Unsafe(self.trace_back(trace))
                case Unknown():
                    return verdict
        except Spurious as reason:
            return Unknown(f"the abstraction is too coarse: {reason}")


def unchanged(model: Any) -> Reduction:
    return Reduction(model, lambda trace: trace, lambda certificate: certificate)


def same_draws(given: State, made: Relation, original: Relation) -> State:
    """Values of the locals of ``made``, for those of ``original``.

    For passes that keep the statements of an edge: two automata name the locals of their
    relations apart, but list them in the same order.
    """
    if not given:
        return {}
    pairs = zip(original.locals, made.locals, strict=True)
    return {ours: given[theirs] for ours, theirs in pairs if theirs in given}


def chain(model: Any, passes: Sequence[Callable[[Any], Reduction]]) -> Reduction:
    """Apply passes in order; evidence goes back through them in reverse."""
    done: list[Reduction] = []
    for run in passes:
        done.append(run(model))
        model = done[-1].model

    def trace_back(trace: Trace) -> Trace:
        for reduction in reversed(done):
            trace = reduction.trace_back(trace)
        return trace

    def certificate_back(certificate: Certificate) -> Certificate:
        for reduction in reversed(done):
            certificate = reduction.certificate_back(certificate)
        return certificate

    return Reduction(model, trace_back, certificate_back)
