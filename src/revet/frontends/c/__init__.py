"""C: preprocess, parse with libclang, lower to a control-flow automaton.

``parse.py`` gives the typed tree of ``ast.py``; ``lower/`` turns it into an automaton. ``load`` is what
the registry calls; :class:`revet.frontends.c.lower.program.Lowered` (in ``Program.extras["c"]``) has
the source map that traces, witnesses and harnesses need.
"""

from revet.frontends.c.load import load

__all__ = ["load"]
