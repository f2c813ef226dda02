"""Engines that misbehave, put into the registry by the tests. A module for each: see ``install``."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import pytest

from revet.engines.common.context import Context
from revet.engines.registry import REGISTRY, EngineInfo
from revet.logic.terms import TRUE
from revet.result.certificate import KInductive
from revet.result.verdict import Safe, Unknown, Verdict


@dataclass(frozen=True)
class Options:
    pass


def install(
    monkeypatch: pytest.MonkeyPatch, name: str, check: Callable[[Any, Any, Context], Verdict]
) -> None:
    module = ModuleType(f"engine_{name}")
    module.check = check  # type: ignore[attr-defined]
    module.Options = Options  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(REGISTRY, name, EngineInfo(name, module.__name__, "system", "for tests"))


def liar(system: Any, options: Any, context: Context) -> Verdict:
    """Everything is safe, it says."""
    return Safe(KInductive(TRUE))


def hog(system: Any, options: Any, context: Context) -> Verdict:
    """Takes more and more memory, and touches it."""
    taken = []
    while True:
        context.budget.poll()
        taken.append(b"x" * (4 << 20))
        time.sleep(0.005)


def crasher(system: Any, options: Any, context: Context) -> Verdict:
    raise ZeroDivisionError("on purpose")


def sleeper(system: Any, options: Any, context: Context) -> Verdict:
    """Ignores its budget."""
    context.stats.counts["naps"] += 1
    while True:
        time.sleep(0.1)


def quitter(system: Any, options: Any, context: Context) -> Verdict:
    return Unknown("no idea", 3)
