"""Engines: each takes a model and a context and returns a verdict with evidence.

``REGISTRY`` is the table of engines. An engine's module is imported when it is asked for, and
has two names that the driver uses: ``Options``, a frozen dataclass whose fields all have
defaults, and ``check(model, options, context) -> Verdict``.
"""

from revet.engines.registry import REGISTRY, EngineInfo, engine

__all__ = ["REGISTRY", "EngineInfo", "engine"]
