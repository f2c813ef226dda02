"""Sequence interpolants, and predicates taken from them.

No solver on PyPI gives good interpolants for linear integer arithmetic out of the box, so this is
a service of its own with several methods (:mod:`revet.smt.interpolation.methods`). Every result
is validated by queries before anybody sees it.
"""

from revet.smt.interpolation.predicates import canonical, predicates
from revet.smt.interpolation.problem import Chain, Path
from revet.smt.interpolation.service import METHODS, InterpolationService, is_interpolant

__all__ = [
    "METHODS", "Chain", "InterpolationService", "Path", "canonical", "is_interpolant", "predicates",
]
