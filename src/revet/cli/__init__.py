"""The command line. The only place that prints and exits."""

import signal
import sys


def main() -> None:
    """Entry point of ``revet``: every error of the user's is one message and exit status 2."""
    # A polite kill ends as Ctrl-C does: workers are stopped, the last line is a verdict.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        from revet.cli.commands import revet

        status = revet(prog_name="revet", standalone_mode=False)
    except KeyboardInterrupt:
        _interrupted()
    except BrokenPipeError:
        sys.exit(2)
    except MemoryError:
        print("verdict: unknown (out of memory)")
        sys.exit(3)
    except Exception as error:
        _usage_error_or_raise(error)
    sys.exit(status if isinstance(status, int) else 0)


def _interrupted() -> None:
    print("revet: interrupted", file=sys.stderr)
    print("verdict: unknown (interrupted)")
    sys.exit(3)


def _usage_error_or_raise(error: Exception) -> None:
    import click

    from revet.errors import RevetError

    if isinstance(error, RevetError):
        print(f"revet: {error}", file=sys.stderr)
        sys.exit(2)
    if isinstance(error, click.exceptions.Exit):
        sys.exit(error.exit_code)
    if isinstance(error, click.Abort):  # what click makes of Ctrl-C
        _interrupted()
    if isinstance(error, click.ClickException):
        error.show()
        sys.exit(2)
    raise error
