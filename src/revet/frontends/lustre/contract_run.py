"""A run of a contract that ends in a deadlock: confirmed by the interpreter, shown as streams."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from revet.frontends.kit.source_run import StreamTable
from revet.frontends.lustre.interpret import Machine
from revet.frontends.lustre.interpret_quantifiers import Undecided
from revet.frontends.lustre.replay import leaves
from revet.frontends.lustre.shapes import terms
from revet.frontends.lustre.trace_oracle import TraceOracle
from revet.frontends.lustre.types import plain
from revet.frontends.program import ReplayFailed
from revet.logic.values import default_value
from revet.result.trace import SystemTrace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from revet.frontends.lustre.contract_game import ContractLowering
    from revet.frontends.lustre.core import Stream
    from revet.logic.terms import Term
    from revet.result.game import Losing


@dataclass(frozen=True)
class ContractRun:
    """Inputs at every instant, outputs at all but the last."""

    table: StreamTable

    def data(self) -> dict[str, Any]:
        return self.table.data()


def run_of(lowering: ContractLowering, evidence: Losing) -> ContractRun:
    """Run the contract on the evidence's run: the assumptions hold throughout, the guarantees at all
    instants but the last. Raises :class:`ReplayFailed`."""
    count = len(evidence.states)
    outputs = [*evidence.outputs, {x: default_value(x.sort) for x in _outputs(lowering)}]
    steps = tuple({**i, **o} for i, o in zip(evidence.inputs, outputs, strict=True))
    trace = SystemTrace((*evidence.states, evidence.states[-1]), steps, "")
    top, node = lowering.tops[0], lowering.node
    oracle = TraceOracle(lowering, trace, top)
    machine = Machine(lowering.program, node, oracle)
    guarantees = [clause.formula for clause in node.guarantees]
    rows = []
    try:
        for instant in range(count):
            inputs = {s.name: oracle.input(s, instant) for s in node.inputs}
            rows.append(machine.step(inputs, guarantees))
            if not machine.held:
                raise ReplayFailed(f"an assumption is false at instant {instant}")
            if instant < count - 1 and not all(machine.truths):
                raise ReplayFailed(f"a guarantee is false at instant {instant}")
    except Undecided as reason:
        raise ReplayFailed(f"it cannot decide {reason}") from None

    def shown(streams: Sequence[Stream], known: int) -> tuple[tuple[str, tuple[str, ...]], ...]:
        found = [leaf for s in streams for leaf in leaves(s.name, plain(s.type), rows)]
        return tuple((name, (*cells[:known], *[""] * (count - known))) for name, cells in found)

    groups = (("inputs", shown(node.inputs, count)), ("outputs", shown(node.outputs, count - 1)))
    ending = f"the contract is in a deadlock at instant {count - 1}"
    return ContractRun(StreamTable(tuple((title, rows) for title, rows in groups if rows), ending))


def _outputs(lowering: ContractLowering) -> list[Term]:
    top = lowering.tops[0]
    return [x for s in lowering.node.outputs for x in terms(lowering.stream(top, s.name))]
