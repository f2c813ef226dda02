"""``revet engines``."""

from __future__ import annotations

import inspect
import re

import click

from revet.driver.options import describe_options
from revet.engines.registry import REGISTRY, engine

_RULE = re.compile(r"^=[= ]*\n", re.M)
_ROLE = re.compile(r":\w+:`~?([^`]+)`")
_LITERAL = re.compile(r"``([^`]+)``")


def plain(text: str) -> str:
    """Documentation in reStructuredText for a terminal: without the rules of tables and without markup."""
    return _LITERAL.sub(r"\1", _ROLE.sub(r"\1", _RULE.sub("", text + "\n"))).rstrip("\n")


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
    click.echo(plain(inspect.getdoc(info.load()) or ""))
    rows = describe_options(info)
    if rows:
        click.echo("\noptions (-O key=value)")
        width = max(len(row[0]) for row in rows)
        for key, default, kind in rows:
            click.echo(f"  {key:{width}}  {kind}, default {default}")
    return 0
