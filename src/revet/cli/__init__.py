"""The command line. The only place that prints and exits."""

from __future__ import annotations

import gc
import os
import signal
import sys
import time
from typing import TYPE_CHECKING

from revet.cli.output import FORM, end_at_once, json_error, last_words

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

_imported = time.monotonic()
_launched: float | None = None  # only where this process is the command: others import commands and call them


def launch_time() -> float:
    """When the command began, for the first that asks: loading counts against a time limit."""
    global _launched
    launched, _launched = _launched, None
    return time.monotonic() if launched is None else launched


def main(quick: Callable[[list[str]], object] | None = None) -> None:
    """Entry point of ``revet``: every error of the user's is one message and exit status 2.

    ``quick`` may carry out ``check`` with some arguments without click, or return None."""
    global _launched
    _launched = _imported
    FORM.expect(sys.argv[1:])
    try:
        # A polite kill ends as Ctrl-C does: workers are stopped, the last line is a verdict.
        # While a program is read, an exception out of nowhere could be swallowed in a callback
        # and leave half a model: a check ends on the spot instead (and in order once engines run).
        at_once = sys.argv[1:2] == ["check"]
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, _end_at_once if at_once else signal.default_int_handler)
        gc.disable()  # while modules are loaded there is nothing to collect
        status = quick(sys.argv[2:]) if at_once and quick is not None else None
        if status is None:
            status = _run()
    except KeyboardInterrupt:
        _interrupted()
    except BrokenPipeError:
        sys.exit(2)
    except MemoryError:
        os.write(1, last_words("out of memory"))
        sys.exit(3)
    except Exception as error:
        sys.exit(_status_of(error))
    sys.exit(status if isinstance(status, int) else 0)


def _run() -> object:
    """Any command, as click understands it."""
    from revet.cli.commands import revet

    loaded()
    try:
        return revet(prog_name="revet", standalone_mode=False)
    except SystemExit:  # click's own end where nobody reads the answer, with status 1: *rejected*, *wrong*, …
        return 2


def loaded() -> None:
    """All that the command needs is there."""
    gc.freeze()  # what is loaded now will never have to be looked at
    gc.enable()


def _end_at_once(number: int, frame: FrameType | None) -> None:
    """The handler of a check."""
    os.write(2, b"revet: interrupted\n")
    end_at_once("interrupted")


def _interrupted() -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    print("revet: interrupted", file=sys.stderr)
    sys.stdout.flush()
    os.write(1, last_words("interrupted"))
    sys.exit(3)


def _status_of(error: Exception) -> int:
    """Say what went wrong. Python's own status for that is 1, which would mean *unsafe*."""
    from revet.errors import RevetError

    if "click" in sys.modules:
        import click

        if isinstance(error, click.exceptions.Exit):
            return int(error.exit_code)
        if isinstance(error, click.Abort):  # what click makes of Ctrl-C
            _interrupted()
        if isinstance(error, click.ClickException):
            error.show()
            json_error(error, error.format_message())
            return 2
    if isinstance(error, (RevetError, OSError)):
        print(f"revet: {error}", file=sys.stderr)
        json_error(error, getattr(error, "message", str(error)))
    else:
        import traceback

        traceback.print_exc()
        print("revet: this is a bug in Revet; please report it with the input", file=sys.stderr)
        json_error(error, f"a bug in Revet: {type(error).__name__}: {error}")
    return 2
