"""Functions that are not in the program: the C library, POSIX, compilers' builtins, other verifiers' names.

:func:`classify` is the one place that says how a function without a body is treated. The rows are in
``tables/*.txt`` (one a function), the models that are written in C in ``models/*.c``.
"""

from __future__ import annotations

from revet.frontends.c.library.classify import Standing, classify
from revet.frontends.c.library.table import Row, Treatment, rows

__all__ = ["Row", "Standing", "Treatment", "classify", "rows"]
