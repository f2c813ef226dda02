"""What exists only so that small files are answered at once, a circuit in a few hundredths of a second
(decision 52).

Loading parts of the standard library would take most of that time. So the ``revet`` command, and nothing
else, begins by importing this package, which puts stand-ins in the place of three modules
(:mod:`revet.quickstart.stand_in`). Each has the little that Revet's own modules ask for while they are
loaded, and gets the rest from the real module when anybody asks for more:

===============  ===========  =============================================================================
``typing``       13 ms        ``TYPE_CHECKING``
``signal``       3 ms         functions and numbers, without the enumerations
``dataclasses``  20 ms        dataclasses that compile little (:mod:`revet.quickstart.records`)
===============  ===========  =============================================================================

All other modules are ordinary Python: ``from dataclasses import dataclass`` and so on. :func:`command` reads
plain command lines without click (:mod:`revet.quickstart.command_line`) and ends the process without taking
interpreter and solver apart, a tenth of a small check.
"""

from __future__ import annotations

import sys

from revet.quickstart import stand_in

stand_in.install()


def command() -> None:
    """The ``revet`` command."""
    from revet.cli import main
    from revet.quickstart.command_line import check

    try:
        main(check)
        status: object = 0
    except SystemExit as end:
        status = end.code
    if sys.argv[1:2] != ["check"]:
        sys.exit(status if isinstance(status, (int, str)) else None)
    _leave(status if isinstance(status, int) else 0)


def _leave(status: int) -> None:
    import os

    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:  # nobody reads the answer
        status = 2
    os._exit(status)
