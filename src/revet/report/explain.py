"""``revet check --explain``: what the engine showed while it worked, as text, DOT or SVG.

The text has every step, so that a worked example can be followed; a drawing is of the last one.
"""

from __future__ import annotations

from pathlib import Path

from revet.driver.options import option_names
from revet.engines.registry import REGISTRY, EngineInfo
from revet.errors import UsageError
from revet.events import Explained
from revet.report.drawing import drawing_dot, drawing_svg

OPTION = "explain"
_SUFFIXES = (".txt", ".dot", ".svg")


def explaining_engines() -> list[str]:
    """The engines that have something to show."""
    return [info.name for info in REGISTRY.values() if OPTION in option_names(info)]


def refuse_explaining(engine: str | None, path: str) -> None:
    """Raise :class:`UsageError` if this engine cannot explain, or not in this format."""
    known = None if engine is None else REGISTRY.get(engine)
    if not isinstance(known, EngineInfo) or OPTION not in option_names(known):
        able = ", ".join(explaining_engines())
        what = f"engine {engine} has no frames or tree to show" if known else "it needs one engine"
        raise UsageError(f"--explain: {what}; choose --engine {able}")
    if path != "-" and Path(path).suffix not in _SUFFIXES:
        raise UsageError(f"--explain {path}: write to {', '.join(_SUFFIXES)} or to - (the screen)")


def explanation_text(steps: list[Explained]) -> str:
    """All steps, each under its title."""
    return "\n\n".join(f"{step.title}\n{step.text}" for step in steps) + "\n"


def explanation(steps: list[Explained], path: str) -> str:
    """What to write to the path, by its suffix."""
    suffix = Path(path).suffix
    if path == "-" or suffix == ".txt":
        return explanation_text(steps)
    return drawing_dot(steps[-1]) if suffix == ".dot" else drawing_svg(steps[-1])
