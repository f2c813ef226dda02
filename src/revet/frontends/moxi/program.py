"""A MoXI file; runs are confirmed by evaluating the formulas of the file."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Self

from revet.budget import Budget
from revet.errors import UsageError, did_you_mean
from revet.frontends.kit.source_run import StreamTable, stream_text
from revet.frontends.moxi.problems import Problem, problems, union
from revet.frontends.moxi.systems import Query, Script
from revet.frontends.program import Program, Property, ReplayFailed, TellsRuns, WritesWitnesses
from revet.logic.evaluate import Evaluator
from revet.logic.smtlib_print import symbol, value_text
from revet.logic.terms import Term
from revet.logic.values import Value, default_value
from revet.model.names import prime
from revet.result.trace import SystemTrace, Trace
from revet.result.verdict import Unsafe, Verdict

_State = dict[Term, Value]


class MoxiProgram(Program, TellsRuns, WritesWitnesses):
    """With all queries of the script, or with some of them only."""

    language = "moxi"

    def __init__(self, script: Script, path: Path, queries: Sequence[Query] | None = None) -> None:
        self.script = script
        self.queries = list(script.queries if queries is None else queries)
        self.problems = problems(script, self.queries)
        self._copies: tuple[dict[Term, Term], ...] = ()
        model = self.problems[0].model
        if len(self.problems) > 1:
            together = union(self.problems)
            model, self._copies = together.model, together.copies
        super().__init__(model, (path,), script.assumptions)

    @property
    def properties(self) -> tuple[Property, ...]:
        return tuple(Property(query.name, "query", query.position) for query in self.queries)

    def restricted_to(self, *names: str) -> Self:
        for name in names:
            if name not in self.property_names:
                raise UsageError(f"there is no query {name}; {did_you_mean(name, self.property_names)}")
        chosen = [query for query in self.queries if query.name in names]
        return type(self)(self.script, self.files[0], chosen)

    def questions(self) -> list[tuple[str | None, Self]]:
        """The file, or where its queries are about different systems or assumptions, one after the other."""
        if len(self.problems) == 1:
            return [(None, self)]
        return [(query.name, self.restricted_to(query.name)) for query in self.queries]

    # ------------------------------------------------------------------ runs

    def replay(self, trace: Trace, budget: Budget | None = None) -> list[str]:
        """Evaluates the conditions of the query in every state and between any two of them."""
        problem, query, states = self._run(trace)
        always = [*problem.trans, *problem.inv, *problem.assumptions]
        missing = dict(query.targets)
        if not all(map(Evaluator(states[0]), problem.init)):
            raise ReplayFailed("the first state is not initial")
        for number, (state, after) in enumerate(pairwise(states)):
            if budget is not None:
                budget.poll()
            holds = Evaluator({**state, **{prime(x): value for x, value in after.items()}})
            if not all(map(holds, always)):
                raise ReplayFailed(f"step {number}: a condition of the system or an assumption fails")
            for label in [label for label in missing if holds(problem.targets[label]) is True]:
                del missing[label]
        for state in states if problem.words else ():
            if not all(map(Evaluator(state), problem.ranges)):
                raise ReplayFailed("an enumerated variable has a value outside of its sort")
        if len(states) < 2 or missing:
            raise ReplayFailed(f"the query {query.name} is not satisfied: {', '.join(missing) or 'no step'}")
        count = len(states)
        return [f"{count} states evaluated by the formulas of the file: the query {query.name} is satisfied"]

    def _run(self, trace: Trace) -> tuple[Problem, Query, list[_State]]:
        """The problem and query that a trace is about and its states, with one after the last step."""
        if not isinstance(trace, SystemTrace) or trace.violated not in self.property_names:
            raise ReplayFailed("not a run to one of the queries")
        number, problem, query = next(
            (number, problem, query) for number, problem in enumerate(self.problems)
            for query in problem.queries if query.name == trace.violated
        )
        copy = self._copies[number] if self._copies else {x: x for x in problem.model.variables}
        states = [{x: state[y] for x, y in copy.items()} for state in trace.states]
        if problem.direct:
            step = problem.model.step
            values = Evaluator({**states[-1], **{x: default_value(x.sort) for x in step.locals}})
            states.append({x: values(step.after(x)) for x in copy})
        return problem, query, states

    def source_run(self, trace: Trace) -> StreamTable:
        problem, query, states = self._run(trace)
        system = query.system
        parts = (("inputs", system.inputs), ("outputs", system.outputs), ("locals", system.locals),
                 ("subsystems", system.hidden))
        groups = []
        for title, variables in parts:
            rows = [problem.variables[x] for x in variables]
            if rows:
                shown = tuple((x.name, tuple(_shown(problem, x, state[x]) for state in states)) for x in rows)
                groups.append((title, shown))
        return StreamTable(tuple(groups), f"the query {query.name} is satisfied at state {len(states) - 2}")

    def render_trace(self, trace: Trace) -> str:
        return stream_text(self.source_run(trace))

    def witness(self, verdict: Verdict) -> str | None:
        """The response that MoXI wants of a model checker; there is none for proofs yet."""
        if not isinstance(verdict, Unsafe):
            return None
        problem, query, states = self._run(verdict.trace)
        lines = [
            "(check-system-response", " :verbosity full",
            f" :query ({symbol(query.name)} :result sat :trace trace)", " :trace (trace :prefix prefix)",
            " :trail (prefix (",
        ]
        for number, state in enumerate(states):
            shown = {x: _shown(problem, x, state[x]) for x in problem.variables.values()}
            values = [f"({symbol(x.name)} {value})" for x, value in shown.items()]
            lines.append(f"  ({number} {' '.join(values)})")
        return "\n".join([*lines, " ))", ")"]) + "\n"


def _shown(problem: Problem, x: Term, value: Value) -> str:
    words = problem.words.get(x)
    return symbol(words[value]) if words is not None and isinstance(value, int) else value_text(value, x.sort)
