"""The three answers. An engine cannot say safe or unsafe without evidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from revet.logic.terms import Term
    from revet.result.certificate import Certificate
    from revet.result.trace import Trace


@dataclass(frozen=True, eq=False)
class Safe:
    """No run violates a property; ``certificate`` says why."""

    certificate: Certificate


@dataclass(frozen=True, eq=False)
class Unsafe:
    """``trace`` violates a property."""

    trace: Trace


@dataclass(frozen=True, eq=False)
class Unknown:
    """Neither; ``bound`` means: no violation within that many steps.

    ``about`` is the part of the model that the engine cannot treat; the driver knows where it stands."""

    reason: str
    bound: int | None = None
    about: Term | None = None


Verdict = Safe | Unsafe | Unknown
