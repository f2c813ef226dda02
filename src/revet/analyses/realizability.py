"""Can contracts be kept? For every node with a contract or refined outputs, whatever its body says; can its
callers keep the assumptions; are there values of refined types, of free constants, of ``any`` and ``choose``?

A contract is *realizable* if for all inputs that its assumptions allow, instant after instant, there are
outputs that keep its guarantees forever. The game and who wins it: :mod:`revet.analyses.game`. Neither answer
is given before :mod:`revet.checker.game` has accepted its evidence with a solver of its own, and the
deadlocking run of an unrealizable contract has been run by the interpreter.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from revet.analyses.game import Undecided, solve
from revet.budget import Budget, OutOfBudget
from revet.checker.game import check_game
from revet.errors import InputError, Position, Unsupported
from revet.frontends.kit.deep import at_any_depth
from revet.frontends.lustre import read
from revet.frontends.lustre.contract_game import LEGAL, ContractLowering
from revet.frontends.lustre.contract_questions import contracts
from revet.frontends.lustre.contract_run import ContractRun, run_of
from revet.frontends.program import ReplayFailed
from revet.logic.core import const
from revet.logic.walk import substitute
from revet.report.document import Heading, Listing, Paragraph
from revet.result.game import Losing, Viable
from revet.smt.protocol import Status
from revet.smt.z3 import Z3

if TYPE_CHECKING:
    from pathlib import Path

    from revet.frontends.lustre.core import Node, Program
    from revet.model.game import SafetyGame
    from revet.report.document import Block

Status_ = Literal["realizable", "unrealizable", "unknown"]


@dataclass(frozen=True)
class Realizability:
    """The answer for one node. ``run`` ends at an instant at which no outputs keep the guarantees
    ``conflicting`` (a minimal set); ``viable`` is the proof of the opposite."""

    node: str
    position: Position
    status: Status_
    reason: str = ""
    viable: str = ""
    run: ContractRun | None = None
    conflicting: tuple[str, ...] = ()
    seconds: float = 0.0

    def blocks(self) -> list[Block]:
        title = self.node if " " in self.node else f"contract of {self.node}"
        found: list[Block] = [Heading(f"{title}: {self.status}")]
        if self.reason:
            found.append(Paragraph(f"  {self.reason}"))
        if self.viable:
            found.append(Listing("  it can be kept in all states with", (f"  {self.viable}",)))
        if self.run is not None:
            found.append(self.run.table)
            names = tuple(f"  {name}" for name in self.conflicting)
            found.append(Listing("  at the last instant no outputs keep", names))
        return found

    def data(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "node": self.node, "line": self.position.line, "column": self.position.column,
            "status": self.status, "seconds": round(self.seconds, 3),
        }
        if self.reason:
            found["reason"] = self.reason
        if self.viable:
            found["viable"] = self.viable
        if self.run is not None:
            found["run"] = self.run.data()
            found["conflicting"] = list(self.conflicting)
        return found


@at_any_depth
def check_realizability(
    path: Path, node: str | None = None, timeout: float | None = None
) -> list[Realizability]:
    """An answer for each node with a contract, or for the named one; ``timeout`` is for all of them."""
    budget = Budget(timeout)
    program = read(path, node)
    asked = [(part, one) for part, one in contracts(program) if node in (None, one.name)]
    if not asked:
        raise InputError(f"{path}: {'there is' if node is None else f'node {node} has'} no contract")
    return [_answer(part, one, budget) for part, one in asked]


def _answer(program: Program, node: Node, budget: Budget) -> Realizability:
    start = time.monotonic()

    def found(status: Status_, **more: Any) -> Realizability:
        return Realizability(node.name, node.position, status, seconds=time.monotonic() - start, **more)

    try:
        lowering = ContractLowering(program, node)
        game = lowering.game()
        evidence = solve(game, Z3(), budget)
        if isinstance(evidence, Undecided):
            return found("unknown", reason=evidence.reason)
        report = check_game(game, evidence, Z3(), budget)
        if not report.accepted:
            return found("unknown", reason=f"the evidence was not accepted: {report}")
        if isinstance(evidence, Viable):
            return found("realizable", viable=str(evidence.states))
        run = run_of(lowering, evidence)
        return found("unrealizable", run=run, conflicting=_conflict(game, evidence, budget))
    except Unsupported as error:
        return found("unknown", reason=str(error))
    except ReplayFailed as error:
        return found("unknown", reason=f"the interpreter did not confirm the run: {error}")
    except OutOfBudget:
        return found("unknown", reason="time is up")


def _conflict(game: SafetyGame, evidence: Losing, budget: Budget) -> tuple[str, ...]:
    """A minimal set of guarantees that no outputs keep at the last instant."""
    values = {**evidence.states[-1], **evidence.inputs[-1]}
    fixed = {x: const(value, x.sort) for x, value in values.items()}
    formulas = {name: substitute(formula, fixed) for name, formula in game.guarantees.items()}
    needed = list(formulas)
    solver = Z3().solver(budget=budget)
    for name in list(formulas):
        rest = [formulas[other] for other in needed if other != name]
        if solver.check(rest) is Status.UNSAT:
            needed.remove(name)
    return tuple(name for name in needed if name != LEGAL or len(needed) == 1)
