"""The commands of ``revet``."""

from __future__ import annotations

import click


@click.group()
def revet() -> None:
    """Prove that programs keep their assertions, or show a run that breaks them."""
