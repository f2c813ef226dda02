"""``python -m revet.cli.child PARENT ARGUMENT…``: ``revet ARGUMENT…`` that dies with its parent.

This is what :mod:`revet.bench.runs` starts. The kernel is asked to kill this process when the
process PARENT ends, however it ends; the engines' processes are bound to this one in the same way.
So not even a bench or a cluster worker that is killed with SIGKILL leaves a run behind.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys


def main() -> None:
    parent = int(sys.argv.pop(1))
    if sys.platform == "linux":
        pr_set_pdeathsig = 1
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)
        if os.getppid() != parent:  # it died before the call
            sys.exit(3)
    from revet.cli import main as revet

    revet()


if __name__ == "__main__":
    main()
