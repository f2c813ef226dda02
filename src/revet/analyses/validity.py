"""Validity cores and cut sets of a Lustre program: :mod:`.cores` with the engines as the oracle."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from revet.analyses.cores import Explorer
from revet.analyses.questions import Asked
from revet.errors import InputError
from revet.frontends.lustre.elements import KINDS, Element, Kind, elements, without
from revet.report.document import Heading, Listing, Paragraph

if TYPE_CHECKING:
    from revet.frontends.kit.source_run import StreamTable
    from revet.report.document import Block


@dataclass(frozen=True)
class Sets:
    """What was found about the ``properties``, all of which hold; ``runs`` has a counterexample for each cut
    set, in the same order."""

    node: str
    properties: tuple[str, ...]
    left_out: tuple[str, ...]  # properties that are not known to hold
    elements: tuple[Element, ...]
    cores: tuple[tuple[Element, ...], ...] | None = None
    cuts: tuple[tuple[Element, ...], ...] | None = None
    runs: tuple[StreamTable, ...] = ()
    must: tuple[Element, ...] | None = None
    notes: tuple[str, ...] = ()
    asked: int = 0
    seconds: float = 0.0

    def blocks(self) -> list[Block]:
        found: list[Block] = [Heading(f"node {self.node}: {', '.join(self.properties)}")]
        if self.left_out:
            found.append(Listing("not known to hold, left out", self.left_out))
        for number, core in enumerate(self.cores or (), 1):
            title = f"core {number}: {len(core)} of {len(self.elements)} elements"
            items = tuple(map(str, core)) or ("none: the properties hold by themselves",)
            found.append(Listing(title, items))
        if self.must is not None:
            found.append(Listing("in every core", tuple(map(str, self.must)) or ("none",)))
        for number, cut in enumerate(self.cuts or (), 1):
            found.append(Listing(f"cut set {number}", tuple(map(str, cut))))
            found.append(self.runs[number - 1])
        if self.cuts == () and not self.notes:
            found.append(Paragraph("no cut set: the properties hold without any of the elements"))
        return [*found, *map(Paragraph, self.notes)]

    def data(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "node": self.node,
            "properties": list(self.properties),
            "left_out": list(self.left_out),
            "elements": [element.data() for element in self.elements],
            "notes": list(self.notes),
            "questions": self.asked,
            "seconds": round(self.seconds, 3),
        }
        if self.cores is not None:
            found["cores"] = [[element.data() for element in core] for core in self.cores]
        if self.must is not None:
            found["must"] = [element.data() for element in self.must]
        if self.cuts is not None:
            found["cut_sets"] = [
                {"elements": [element.data() for element in cut], "counterexample": run.data()}
                for cut, run in zip(self.cuts, self.runs, strict=True)
            ]
        return found


def validity_cores(
    path: Path, node: str | None = None, property: str | None = None, *, every: bool = False,
    must: bool = False, kinds: Collection[Kind] = KINDS, weak: bool = False, timeout: float | None = None,
) -> Sets:
    """One core or, with ``every``, all of them; with ``must``, also the elements that all of them have."""
    work = _Work(path, node, property, kinds, weak, timeout)
    found = work.explorer.all() if every else work.explorer.core()
    common: Sequence[Element] | None = None
    notes = []
    if not found.minimal:
        notes.append("some questions stayed open: a core may have more elements than it needs")
    if every and not found.complete:
        notes.append("some questions stayed open: there may be other cores")
    if must:
        common, certain = work.explorer.must()
        if not certain:
            notes.append("some questions stayed open: other elements may be in every core")
    return work.sets(cores=found.cores, must=common, notes=notes)


def cut_sets(
    path: Path, node: str | None = None, property: str | None = None, *, every: bool = False,
    kinds: Collection[Kind] = KINDS, weak: bool = False, timeout: float | None = None,
) -> Sets:
    """One minimal cut set or, with ``every``, all of them, with a counterexample for each."""
    work = _Work(path, node, property, kinds, weak, timeout)
    found = work.explorer.all() if every else work.explorer.cut()
    notes = []
    if not found.minimal:
        notes.append("some questions stayed open: a cut set may be missing or not minimal")
    if every and not found.complete:
        notes.append("some questions stayed open: there may be other cut sets")
    return work.sets(cuts=found.cuts, notes=notes)


class _Work:
    def __init__(
        self, path: Path, node: str | None, property: str | None, kinds: Collection[Kind], weak: bool,
        timeout: float | None,
    ) -> None:
        self.start = time.monotonic()
        self.asked = Asked(path, node, timeout)
        self.elements = [e for e in elements(self.asked.typed, kinds) if e.weak or not weak]
        if not self.elements:
            raise InputError(f"{path}: node {self.asked.node} has no such elements")
        statuses = self.asked.statuses(property)
        self.properties = tuple(name for name, status in statuses.items() if status == "safe")
        self.left_out = tuple(name for name, status in statuses.items() if status != "safe")
        if not self.properties:
            raise InputError(f"{path}: no property of node {self.asked.node} is known to hold")
        self.explorer = Explorer(self.elements, self._adequate)

    def _adequate(self, chosen: frozenset[Element]) -> bool | None:
        with without(self.asked.typed, [e for e in self.elements if e not in chosen]):
            status = self.asked.status(self.properties)
        return {"safe": True, "unsafe": False}.get(status)

    def _run(self, cut: frozenset[Element]) -> StreamTable:
        with without(self.asked.typed, cut):
            return self.asked.counterexample(self.properties)

    def sets(
        self, *, cores: list[frozenset[Element]] | None = None, cuts: list[frozenset[Element]] | None = None,
        must: Sequence[Element] | None = None, notes: Sequence[str] = (),
    ) -> Sets:
        def ordered(sets: list[frozenset[Element]]) -> tuple[tuple[Element, ...], ...]:
            return tuple(tuple(e for e in self.elements if e in one) for one in sets)

        return Sets(
            self.asked.node, self.properties, self.left_out, tuple(self.elements),
            None if cores is None else ordered(cores), None if cuts is None else ordered(cuts),
            tuple(map(self._run, cuts or ())), None if must is None else tuple(must),
            tuple(notes), self.explorer.asked, time.monotonic() - self.start,
        )
