"""Lustre programs node by node: every node with a contract is proved once, callers use the contract.

Callees come first. Where all obligations of a node are proved (its guarantees and modes under its
assumptions, and the assumptions of the nodes it calls), its contract stands for its body in the nodes
that follow; a node that is not proved stays inlined. So every proof counts for the whole program, by
induction over the calls and over time: a caller may rely on a guarantee as long as the assumptions have
held, and that they do is proved at the call.

A counterexample against contracts may use outputs that no body gives. It is never an answer: the contracts
are refined, first those of the nodes that are called directly, then all of them, by the bodies that they
stand for. What fails with all bodies in the main node fails in the program; what fails in another node breaks
its contract for inputs that its assumptions allow, and whether the program gives such inputs is decided where
the main node is checked.

``every``: nodes without a contract are looked at one by one, too, with any inputs (KIND 2's ``--modular``).
Without ``abstract``, bodies are always in place.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from revet.api import Result, check
from revet.errors import UsageError
from revet.events import Observer, ignore
from revet.frontends.lustre import LustreProgram
from revet.frontends.lustre.components import called_by, components, replaceable, tops
from revet.frontends.registry import load

_PATIENCE = 20.0
"""Seconds for a step in between, where nothing else limits it: the bodies may still decide."""


@dataclass(frozen=True)
class Part:
    """One node: an answer for each obligation; ``contracts`` are those that stood for bodies, ``refined``
    those that were not enough."""

    node: str
    contracts: tuple[str, ...]
    answers: Mapping[str, Result]
    top: bool = True  # the program's answer is that of its top nodes
    refined: tuple[str, ...] = ()

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
    abstract: bool = True,
    every: bool = False,
) -> list[Part]:
    """Check a Lustre file node by node; the answer of the program is that of its top nodes."""
    file = Path(path)
    if file.suffix.lower() != ".lus":
        raise UsageError(f"{file}: contracts are checked one by one in Lustre programs only")
    load([file])  # errors of the whole program first
    how = {"engine": engine, "engines": engines, "options": options, "memory": memory, "observe": observe}
    top = set(tops(file))
    run = _Run(file, None if timeout is None else time.monotonic() + timeout, how)
    proved: list[str] = []
    parts: list[Part] = []
    replaced = replaceable(file) - top
    for name in components(file, every):
        part = run.refined(name, proved)
        if part.status == "safe" and abstract and name in replaced:
            proved.append(name)
        parts.append(replace(part, top=name in top))
    return parts


def program_status(parts: Sequence[Part]) -> str:
    """The program's answer: *unsafe* if a top node is, *safe* if all of them are."""
    found = {part.status for part in parts if part.top}
    return next((status for status in ("unsafe", "unknown") if status in found), "safe")


@dataclass(frozen=True)
class _Run:
    file: Path
    deadline: float | None
    how: Mapping[str, Any]

    def refined(self, name: str, proved: Sequence[str]) -> Part:
        """Check a node with contracts for what it calls, then with fewer of them, at last with none."""
        part = used = self.part(name, proved, 0.5)
        if part.status != "safe" and used.contracts:
            direct = called_by(self.file, name)
            deeper = [other for other in proved if other not in direct]
            if deeper and direct & set(used.contracts):
                part = self.part(name, deeper, 0.3, _PATIENCE)
            if part.status != "safe" and part.contracts:
                part = self.part(name, (), 1.0)
        gone = tuple(one for one in used.contracts if one not in part.contracts)
        return replace(part, refined=gone)

    def part(
        self, name: str, abstract: Sequence[str], share: float, most: float | None = None
    ) -> Part:
        """Check a node with ``share`` of the time that is left, or at ``most`` so many seconds if there is
        no limit."""
        program = load([self.file], {"node": name, "abstract": tuple(abstract)})
        assert isinstance(program, LustreProgram)
        now = time.monotonic()
        end = None if most is None else now + most
        if self.deadline is not None:
            end = now + share * (self.deadline - now)
        answers = {}
        for obligation in program.property_names:
            if obligation in program.reach:  # a run against contracts reaches nothing
                continue
            left = None if end is None else max(0.1, end - time.monotonic())
            answers[obligation] = check(program, property=obligation, timeout=left, **self.how)
        return Part(name, program.contracts, answers)
