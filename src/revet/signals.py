"""The functions and numbers of ``signal`` that Revet uses, without its enumerations.

Loading ``signal`` makes three ``enum`` classes of a hundred members: a tenth of all that a small
circuit takes (decision 52). The numbers and functions are those of the module below it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from signal import (
        ITIMER_REAL,
        SIG_IGN,
        SIGALRM,
        SIGHUP,
        SIGINT,
        SIGTERM,
        default_int_handler,
        getsignal,
        setitimer,
        signal,
    )
else:
    from _signal import *  # noqa: F403

__all__ = [
    "ITIMER_REAL", "SIGALRM", "SIGHUP", "SIGINT", "SIGTERM", "SIG_IGN", "default_int_handler", "getsignal",
    "setitimer", "signal",
]
