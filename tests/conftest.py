"""What holds for every test: nothing is written into the user's cache folder.

Compiled parts of Revet's own are kept for the other tests of the session, and nothing else: what was
validated is validated again, and no test starts to build a 32-bit C library in the background. To test
32-bit programs with a library that was built before, name the folder in ``REVET_CACHE``.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path

from revet.frontends.c.toolchain import musl_folder, wheel

if "REVET_CACHE" not in os.environ:  # workers of pytest-xdist find that of their parent
    _folder = Path(tempfile.mkdtemp(prefix="revet-tests-"))
    atexit.register(shutil.rmtree, _folder, ignore_errors=True)
    os.environ["REVET_CACHE"] = str(_folder)
    for _taken in ("validated", "reports", musl_folder(wheel() or Path()).name):
        (_folder / _taken).touch()  # a file, where a folder would have to be made
