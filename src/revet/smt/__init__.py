"""Solvers, requested by capability. The only package that imports one."""

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


def default_backend() -> "SolverFactory":
    """A fresh z3 context; terms from any place can be given to it."""
    from revet.smt.z3 import Z3

    return Z3()


def load_library() -> None:
    """Load the default solver's library, so that processes forked later share it."""
    from revet.smt.z3.native import api

    api()


__all__ = [
    "Eliminator", "Interpolator", "Model", "Projector", "Solver", "SolverError", "SolverFactory",
    "Status", "default_backend", "load_library",
]
