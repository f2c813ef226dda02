"""What every PDR engine keeps books about: delta-encoded frames and the queue of obligations.

Both are generic in the kind of cube, so an engine with predicate literals and one with theory
literals share them. They never see a solver.
"""

from revet.engines.pdr_common.frames import INFINITY, Cube, Frames
from revet.engines.pdr_common.obligations import Obligation, Obligations

__all__ = ["INFINITY", "Cube", "Frames", "Obligation", "Obligations"]
