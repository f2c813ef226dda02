"""C: parse with clang, lower to a control-flow automaton.

``parse.py`` gives the typed tree of ``ast.py``; ``lower/`` turns it into an automaton. ``load`` is what
the registry calls; :class:`revet.frontends.c.lower.program.Lowered` (in :class:`CSource`) has
the source map that traces, witnesses and harnesses need.
"""

from revet.frontends.c.load import load
from revet.frontends.c.options import Options

__all__ = ["OPTIONS", "load"]

OPTIONS = Options.__match_args__
