"""``revet check --compositional``."""

from __future__ import annotations

import json
from typing import Any

import click

from revet.compositional import Part, check_contracts
from revet.errors import UsageError
from revet.report.text import verdict_line
from revet.result.verdict import Unsafe

_NOT_HERE = ("property", "each", "parse_only", "explain", "save", "harness", "witness", "html", "sarif")


def refuse(given: dict[str, Any]) -> None:
    """Options that speak of one answer have no meaning for many nodes."""
    for name in _NOT_HERE:
        if given.get(name):
            raise UsageError(f"--{name.replace('_', '-')} and --compositional exclude each other")


def run_compositional(
    files: tuple[str, ...],
    engine: str | None,
    options: tuple[str, ...],
    timeout: float | None,
    memory: int | None,
    json_: bool,
    engines: str | None,
) -> int:
    if len(files) != 1:
        raise UsageError("--compositional takes one Lustre file")
    parts = check_contracts(
        files[0],
        engine=engine,
        engines=engines,
        options=dict(_pair(option) for option in options),
        timeout=timeout,
        memory=None if memory is None else memory << 20,
    )
    if json_:
        click.echo(json.dumps([part_data(part) for part in parts], indent=2))
    else:
        for part in parts:
            click.echo(part_text(part))
    status = parts[-1].status
    click.echo(f"verdict: {status}")
    return {"safe": 0, "unsafe": 1}.get(status, 3)


def _pair(option: str) -> tuple[str, str]:
    key, equals, value = option.partition("=")
    if not equals:
        raise UsageError(f"-O {option}: write KEY=VALUE")
    return key, value


def part_text(part: Part) -> str:
    """The node, what it was proved with, its obligations and the streams of what is violated."""
    against = f", with the contracts of {', '.join(part.contracts)}" if part.contracts else ""
    lines = [f"node {part.node}{against}: {part.status}"]
    for name, answer in part.answers.items():
        lines.append(f"  {name}: {verdict_line(answer).removeprefix('verdict: ')}")
    for answer in part.answers.values():
        render = answer.program.render_trace
        if isinstance(answer.verdict, Unsafe) and render is not None:
            lines.append(render(answer.verdict.trace))
    return "\n".join(lines)


def part_data(part: Part) -> dict[str, Any]:
    from revet.report.data import answer_data

    return {
        "node": part.node,
        "contracts": list(part.contracts),
        "verdict": part.status,
        "obligations": [answer_data(answer) for answer in part.answers.values()],
    }
