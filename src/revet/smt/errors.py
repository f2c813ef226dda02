"""What solvers raise."""

from __future__ import annotations


class SolverError(Exception):
    """The solver failed or gave something we cannot read back; never a verdict."""
