"""What every kind of certificate is: data, a codec, and words. See :mod:`revet.result.certificate`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, ClassVar, Literal, Self

    from revet.logic.terms import Term
    from revet.result.fields import Fields

KINDS: dict[str, type[Certificate]] = {}


@dataclass(frozen=True, eq=False)
class Certificate:
    """The base of all kinds. ``kind`` is its name in files.

    ``about``: what the checker needs to see: the ``model`` that the front end made, the program's
    ``procedures``, or the ``source`` with the interpreter of its language. Only the first says nothing
    about runs beyond the model's open ends.
    """

    if TYPE_CHECKING:
        kind: ClassVar[str]
        about: ClassVar[Literal["model", "procedures", "source"]]
    else:
        about = "model"

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        KINDS[cls.kind] = cls

    def fields(self, term: Callable[[Term], Any]) -> dict[str, Any]:
        """Plain data, with formulas as ``term`` writes them."""
        raise NotImplementedError

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """The inverse; raises :class:`InputError` for what does not fit."""
        raise NotImplementedError

    def text(self, model: object) -> str:
        """For the terminal: what is claimed, with the formulas."""
        raise NotImplementedError

    def sentence(self) -> str:
        """For a page: why this is a proof, without the formulas."""
        raise NotImplementedError

    def data(self) -> dict[str, Any]:
        """For ``--json``."""
        return {"kind": self.kind, **self.fields(str)}
