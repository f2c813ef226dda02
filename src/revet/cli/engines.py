"""``revet engines``."""

from __future__ import annotations

import inspect

import click

from revet.driver.options import describe_options
from revet.engines.registry import REGISTRY, engine


def list_engines(name: str | None) -> int:
    if name is None:
        width = max((len(known) for known in REGISTRY), default=0)
        click.echo(f"{'portfolio':{width}}  the default: several of these side by side, by the model")
        for info in REGISTRY.values():
            click.echo(f"{info.name:{width}}  {info.summary}")
        click.echo("\n'revet engines NAME' explains one and lists its options.")
        return 0
    info = engine(name)
    click.echo(f"{info.name}: {info.summary}\n")
    click.echo(inspect.getdoc(info.load()) or "")
    rows = describe_options(info)
    if rows:
        click.echo("\noptions (-O key=value)")
        width = max(len(row[0]) for row in rows)
        for key, default, kind in rows:
            click.echo(f"  {key:{width}}  {kind}, default {default}")
    return 0
