"""Solvers, requested by capability. The only package that imports one.

The protocols are loaded when they are first used: circuits need a SAT solver and nothing else.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from revet.smt.protocol import (
        Eliminator,
        Interpolator,
        Model,
        Projector,
        Solver,
        SolverError,
        SolverFactory,
        Status,
    )


def default_backend() -> SolverFactory:
    """A fresh z3 context; terms from any place can be given to it."""
    from revet.smt.z3 import Z3

    return Z3()


def load_library() -> None:
    """Load the default solver's library, so that processes forked later share it."""
    from revet.smt.z3.native import api

    api()


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'revet.smt' has no attribute {name!r}")
    return getattr(import_module("revet.smt.protocol"), name)


__all__ = [
    "Eliminator", "Interpolator", "Model", "Projector", "Solver", "SolverError", "SolverFactory",
    "Status", "default_backend", "load_library",
]
