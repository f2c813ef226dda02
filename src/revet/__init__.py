"""Revet proves that programs keep their assertions, or shows a run that breaks them.

>>> import revet
>>> from revet import Cfa, TransitionSystem

``revet.check`` takes a path or a model built in Python; see ``docs/python.md``. Names are loaded
when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

import sys
from importlib import import_module

sys.set_int_max_str_digits(0)  # a program's integers are unbounded, and so is what a run of it shows

__version__ = "0.2.0"

_HOME = {
    "abstract": "revet.images.api",
    "check": "revet.api",
    "load": "revet.api",
    "post": "revet.images.api",
    "pre": "revet.images.api",
    "wp": "revet.images.api",
    "Answer": "revet.driver.answer",
    "Assign": "revet.model.statements",
    "Assume": "revet.model.statements",
    "Cfa": "revet.model.cfa",
    "Edge": "revet.model.cfa",
    "Havoc": "revet.model.statements",
    "InputError": "revet.errors",
    "Location": "revet.model.cfa",
    "Relation": "revet.model.relation",
    "RevetError": "revet.errors",
    "Safe": "revet.result",
    "TransitionSystem": "revet.model.system",
    "Unknown": "revet.result",
    "Unsafe": "revet.result",
}

TYPE_CHECKING = False  # typing's own, which takes as long to load as a small circuit to check (decision 52)
if TYPE_CHECKING:
    from typing import Any

    from revet.api import check, load
    from revet.driver.answer import Answer
    from revet.errors import InputError, RevetError
    from revet.images.api import abstract, post, pre, wp
    from revet.model.cfa import Cfa, Edge, Location
    from revet.model.relation import Relation
    from revet.model.statements import Assign, Assume, Havoc
    from revet.model.system import TransitionSystem
    from revet.result import Safe, Unknown, Unsafe

__all__ = [
    "Answer", "Assign", "Assume", "Cfa", "Edge", "Havoc", "InputError", "Location", "Relation",
    "RevetError", "Safe", "TransitionSystem", "Unknown", "Unsafe", "__version__", "abstract",
    "check", "load", "post", "pre", "wp",
]


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'revet' has no attribute {name!r}")
    return getattr(import_module(home), name)
