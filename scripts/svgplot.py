"""The plots of the package, for scripts that run with a Python in which Revet is not installed."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

from revet.report.plot import histogram, lines, scatter

__all__ = ["histogram", "lines", "scatter"]
