"""What names mean at a place in the program, for the type checker."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from revet.errors import Position
from revet.frontends.lustre.core import Expr, Stream
from revet.frontends.lustre.types import Type


@dataclass(frozen=True)
class Scope:
    """``names`` are variables and constants; ``types`` are type parameters; ``modes`` yields the
    requirements of a mode; ``last`` is what ``last x`` means in a frame block.

    ``forbidden`` is why ``pre``, ``->`` and node calls are forbidden here (in a function, say), or empty.
    ``hidden`` adds a stream to the node that this is part of, and is None outside of nodes.
    """

    names: Mapping[str, Expr] = field(default_factory=dict)
    types: Mapping[str, Type] = field(default_factory=dict)
    modes: Callable[[tuple[str, ...], Position], Expr] | None = None
    last: Mapping[str, Expr] | None = None
    forbidden: str = ""
    hidden: Callable[[Stream, Expr | None], None] | None = None
    node: str = ""
    inner: bool = False  # in a lazy branch, a quantifier or an array's definition

    def inside(self) -> Scope:
        """The scope of a part that is not evaluated at every instant of the node, or more than once."""
        return self if self.inner else replace(self, inner=True)

    def with_names(self, names: Mapping[str, Expr]) -> Scope:
        return replace(self, names={**self.names, **names})
