"""Lustre programs node by node: every node with a contract is proved once, callers use the contract.

Callees come first. Where all obligations of a node are proved (its guarantees and modes under its
assumptions, and the assumptions of the nodes it calls), its contract stands for its body in the nodes
that follow; a node that is not proved stays inlined. So every proof counts for the whole program, by
induction over the calls and over time: a caller may rely on a guarantee as long as the assumptions have
held, and that they do is proved at the call.

A counterexample against contracts may use outputs that no body gives. It is never an answer: the node is
checked again with all bodies in place. What then fails in the main node fails in the program; what fails
in another node breaks its contract for inputs that its assumptions allow, and whether the program
gives such inputs is decided where the main node is checked.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from revet.api import Result, check, properties
from revet.errors import UsageError
from revet.events import Observer, ignore
from revet.frontends.lustre.components import components
from revet.frontends.registry import load


@dataclass(frozen=True)
class Part:
    """One node: an answer for each obligation; ``contracts`` are those that stood for bodies."""

    node: str
    contracts: tuple[str, ...]
    answers: Mapping[str, Result]

    @property
    def status(self) -> str:
        found = {answer.status for answer in self.answers.values()}
        return next((status for status in ("unsafe", "unknown") if status in found), "safe")


def check_contracts(
    path: str | Path,
    *,
    engine: str | None = None,
    engines: str | None = None,
    options: Mapping[str, Any] | None = None,
    timeout: float | None = None,
    memory: int | None = None,
    observe: Observer = ignore,
) -> list[Part]:
    """Check a Lustre file node by node; the last part is the main node's, and the program's answer."""
    file = Path(path)
    if file.suffix.lower() != ".lus":
        raise UsageError(f"{file}: contracts are checked one by one in Lustre programs only")
    load([file])  # errors of the whole program first
    how = {"engine": engine, "engines": engines, "options": options, "memory": memory, "observe": observe}
    run = _Run(file, None if timeout is None else time.monotonic() + timeout, how)
    proved: list[str] = []
    parts: list[Part] = []
    for name in components(file):
        part = run.part(name, proved, 0.5)
        if part.status != "safe" and part.contracts:
            part = run.part(name, (), 1.0)
        if part.status == "safe":
            proved.append(name)
        parts.append(part)
    return parts


@dataclass(frozen=True)
class _Run:
    file: Path
    deadline: float | None
    how: Mapping[str, Any]

    def part(self, name: str, abstract: Sequence[str], share: float) -> Part:
        """Check a node with ``share`` of the time that is left."""
        program = load([self.file], {"node": name, "abstract": tuple(abstract)})
        contracts = program.extras["contracts"]
        assert isinstance(contracts, list)
        end = None if self.deadline is None else time.monotonic() + share * (self.deadline - time.monotonic())
        answers = {}
        for obligation in properties(program):
            left = None if end is None else max(0.1, end - time.monotonic())
            answers[obligation] = check(program, property=obligation, timeout=left, **self.how)
        return Part(name, tuple(contracts), answers)
