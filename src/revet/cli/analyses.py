"""The commands of :mod:`revet.analyses`: print what was found as text or JSON, and write the page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from revet.analyses.assumptions import generate_assumption
from revet.analyses.generated_contracts import generate_contract
from revet.analyses.mode_tests import mode_tests
from revet.analyses.realizability import check_realizability
from revet.analyses.validity import cut_sets, validity_cores
from revet.cli.reports import refuse_unwritable, write_text
from revet.errors import UsageError
from revet.frontends.lustre.elements import KINDS
from revet.report.document import as_html, as_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from revet.frontends.lustre.elements import Kind
    from revet.report.document import Block


class Output:
    """Where the findings go; a page that cannot be written is refused before the work begins."""

    def __init__(self, file: str, json_: bool, html: str | None) -> None:
        if Path(file).suffix.lower() != ".lus":
            raise UsageError(f"{file}: this is a question about Lustre programs (.lus)")
        self.path = Path(file)
        self.json = json_
        self.html = html
        if html:
            refuse_unwritable(html)

    def show(self, title: str, blocks: Sequence[Block], data: Any) -> None:
        click.echo(json.dumps(data, indent=2) if self.json else as_text(blocks))
        if self.html:
            write_text(self.html, as_html(f"{self.path.name}: {title}", blocks))


def run_realizability(
    file: str, node: str | None, timeout: float | None, json_: bool, html: str | None
) -> int:
    """Exit status 0: all realizable; 1: one is not; 3: one is undecided."""
    output = Output(file, json_, html)
    found = check_realizability(output.path, node, timeout)
    blocks = [block for one in found for block in one.blocks()]
    output.show("realizability", blocks, [one.data() for one in found])
    statuses = {one.status for one in found}
    return 1 if "unrealizable" in statuses else 3 if "unknown" in statuses else 0


def run_cores(
    file: str, node: str | None, timeout: float | None, json_: bool, html: str | None, property_: str | None,
    every: bool, must: bool, elements: tuple[str, ...],
) -> int:
    """Exit status 0; what cannot be asked is an error."""
    output = Output(file, json_, html)
    kinds, weak = _kinds(elements)
    found = validity_cores(
        output.path, node, property_, every=every, must=must, kinds=kinds, weak=weak, timeout=timeout
    )
    output.show("validity cores", found.blocks(), found.data())
    return 0


def run_cut_sets(
    file: str, node: str | None, timeout: float | None, json_: bool, html: str | None, property_: str | None,
    every: bool, elements: tuple[str, ...],
) -> int:
    output = Output(file, json_, html)
    kinds, weak = _kinds(elements)
    found = cut_sets(output.path, node, property_, every=every, kinds=kinds, weak=weak, timeout=timeout)
    output.show("cut sets", found.blocks(), found.data())
    return 0


def _kinds(chosen: tuple[str, ...]) -> tuple[tuple[Kind, ...], bool]:
    """Kinds of elements, and whether only those marked ``weakly`` are meant."""
    kinds = tuple(kind for kind in KINDS if kind in chosen)
    return kinds or KINDS, "weak" in chosen


def run_mode_tests(
    file: str, node: str | None, timeout: float | None, json_: bool, html: str | None, depth: int, limit: int,
    out: str | None,
) -> int:
    """Exit status 0; 3 if a mode is in no test."""
    output = Output(file, json_, html)
    found = mode_tests(output.path, node, depth, limit, timeout)
    if out is not None:
        folder = Path(out)
        folder.mkdir(parents=True, exist_ok=True)
        for number, test in enumerate(found.tests, 1):
            write_text(str(folder / f"test-{number}.json"), json.dumps(list(test.inputs), indent=1) + "\n")
            rows = [{**i, **o} for i, o in zip(test.inputs, test.outputs, strict=True)]
            write_text(str(folder / f"trace-{number}.json"), json.dumps(rows, indent=1) + "\n")
        write_text(str(folder / "tests.json"), json.dumps(found.data(), indent=1) + "\n")
        write_text(str(folder / "modes.dot"), found.dot())
    output.show("tests", found.blocks(), found.data())
    return 3 if found.never else 0


def run_assumptions(
    file: str, node: str | None, timeout: float | None, json_: bool, html: str | None, property_: str | None
) -> int:
    """Exit status 0: found, or none is needed; 3: none was found."""
    output = Output(file, json_, html)
    found = generate_assumption(output.path, node, property_, timeout)
    output.show("assumptions", found.blocks(), found.data())
    return 0 if found.clauses or not found.properties else 3


def run_contract(file: str, node: str | None, timeout: float | None, json_: bool, html: str | None) -> int:
    """Exit status 0: there are guarantees; 3: none was found."""
    output = Output(file, json_, html)
    found = generate_contract(output.path, node, timeout)
    output.show("contract", found.blocks(), found.data())
    return 0 if found.guarantees else 3
