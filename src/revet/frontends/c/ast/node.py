"""What makes a class a node of the syntax tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, eq_default=False)
def node(cls: type[T]) -> type[T]:
    """A node of the tree. The type checker sees to it that nobody changes one: a dataclass that
    is frozen at run time as well takes three times as long to make, and programs have many."""
    return dataclass(eq=False, slots=True)(cls)
