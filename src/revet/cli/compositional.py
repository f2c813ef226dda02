"""``revet check --compositional``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from revet.compositional import Part, check_contracts, program_status
from revet.errors import UsageError
from revet.frontends.program import TellsRuns
from revet.portfolio.configuration import key_value
from revet.report.text import verdict_line
from revet.result.verdict import Unsafe

if TYPE_CHECKING:
    from revet.cli.given import Given

_NOT_HERE = ("property_", "each", "parse_only", "explain", "save", "harness", "witness",
             "model", "proof", "html", "sarif", "kind2_json")


def run_compositional(given: Given) -> int:
    """Options that speak of one answer have no meaning for many nodes: they are refused."""
    how = "--compositional" if given.compositional else "--modular"
    for name in _NOT_HERE:
        if getattr(given, name):
            option = name.strip("_").replace("_", "-")
            raise UsageError(f"--{option} and {how} exclude each other")
    if len(given.files) != 1:
        raise UsageError(f"{how} takes one Lustre file")
    parts = check_contracts(
        given.files[0],
        engine=given.engine,
        engines=given.engines,
        options=dict(key_value(option, f"-O {option}: write KEY=VALUE") for option in given.options),
        timeout=given.timeout,
        memory=None if given.memory is None else given.memory << 20,
        abstract=given.compositional,
        every=given.modular,
    )
    status = program_status(parts)
    if given.json_:
        click.echo(json.dumps([part_data(part) for part in parts], indent=2))
    else:
        for part in parts:
            click.echo(part_text(part))
        click.echo(f"verdict: {status}")
    return {"safe": 0, "unsafe": 1}.get(status, 3)


def part_text(part: Part) -> str:
    """The node, what it was proved with, its obligations and the streams of what is violated."""
    against = f", with the contracts of {', '.join(part.contracts)}" if part.contracts else ""
    again = f", after the contracts of {', '.join(part.refined)}" if part.refined else ""
    lines = [f"node {part.node}{against}{again}: {part.status}"]
    for name, answer in part.answers.items():
        lines.append(f"  {name}: {verdict_line(answer).removeprefix('verdict: ')}")
    for answer in part.answers.values():
        if isinstance(answer.verdict, Unsafe) and isinstance(answer.program, TellsRuns):
            lines.append(answer.program.render_trace(answer.verdict.trace))
    return "\n".join(lines)


def part_data(part: Part) -> dict[str, Any]:
    from revet.report.data import answer_data

    return {
        "node": part.node,
        "contracts": list(part.contracts),
        "refined": list(part.refined),
        "verdict": part.status,
        "obligations": [answer_data(answer) for answer in part.answers.values()],
    }
