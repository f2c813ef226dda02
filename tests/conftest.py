"""What holds for every test: nothing is written into the user's cache folder.

In particular no test starts to build a 32-bit C library in the background. To test 32-bit programs
with a library that was built before, name the folder in ``REVET_CACHE``.
"""

from __future__ import annotations

import os

os.environ.setdefault("REVET_CACHE", os.path.join(os.devnull, "revet"))
