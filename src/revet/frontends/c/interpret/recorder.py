"""Whoever wants to know what happens in a run of the interpreter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from revet.frontends.c.ast import Span
    from revet.frontends.c.interpret.machine import Machine
    from revet.frontends.c.interpret.memory import MemoryObject
    from revet.frontends.c.types import CType


class Recorder:
    """Watches a run; subclasses are told what they have a method for."""

    def statement(self, machine: Machine, span: Span) -> None:
        """A statement of this text begins."""

    def store(
        self, machine: Machine, target: MemoryObject, offset: int, size: int, type: CType, value: Any
    ) -> None:
        """An assignment has written a value."""

    def filled(self, machine: Machine, target: MemoryObject, offset: int, size: int) -> None:
        """A function of the library is about to write some of these bytes."""

    def drawn(self, machine: Machine, name: str, value: Any) -> None:
        """A function that is given values has returned this one."""
