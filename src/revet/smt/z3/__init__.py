"""z3, driven through its C API."""

from revet.smt.z3.backend import Z3

__all__ = ["Z3"]
