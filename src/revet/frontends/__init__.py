"""Front ends: from files to models, and from traces back to what the user wrote."""

from revet.frontends.program import Program, ReplayFailed
from revet.frontends.registry import LANGUAGES, load

__all__ = ["LANGUAGES", "Program", "ReplayFailed", "load"]
