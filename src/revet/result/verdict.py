"""The three answers. An engine cannot say safe or unsafe without evidence."""

from __future__ import annotations

from revet.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from revet.logic.terms import Term
    from revet.result.certificate import Certificate
    from revet.result.trace import Trace


class Safe(Record, eq=False):
    """No run violates a property; ``certificate`` says why."""

    certificate: Certificate


class Unsafe(Record, eq=False):
    """``trace`` violates a property."""

    trace: Trace


class Unknown(Record, eq=False):
    """Neither; ``bound`` means: no violation within that many steps.

    ``about`` is the part of the model that the engine cannot treat; the driver knows where it stands."""

    reason: str
    bound: int | None = None
    about: Term | None = None


Verdict = Safe | Unsafe | Unknown
