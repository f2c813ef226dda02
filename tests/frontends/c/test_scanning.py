"""``sscanf``: what the interpreter reads from a text, beside what the machine's library reads."""

from __future__ import annotations

import ctypes
import random
from pathlib import Path

import pytest

import revet
from revet.frontends.c.interpret.scanning import scan
from revet.report.text import render

FORMATS = [
    b"%d", b"%d-%d-%d", b" %d , %u", b"%x:%o", b"%i %i", b"%c%c", b"a%db", b"%*d %d", b"%2d%3d", b"%d%%%d",
    b"%x", b"%d %c %d", b"#%2x%2x%2x", b"%i",
]
LETTERS = b"0123456789abfxX+-%:,#  \n~"


def test_like_the_library_of_this_machine() -> None:
    try:
        library = ctypes.CDLL(None)
        function = library.sscanf
    except (OSError, AttributeError):
        pytest.skip("no C library here")
    choose = random.Random(5)
    for _ in range(20_000):
        form = choose.choice(FORMATS)
        text = bytes(choose.choice(LETTERS) for _ in range(choose.randint(0, 8)))
        count, values = scan(text, form)
        if not all(fits for _, fits in values):
            continue
        places = [ctypes.c_int(0) for _ in range(4)]
        assert function(text, form, *map(ctypes.byref, places)) == count, (form, text)
        for (value, _), place in zip(values, places, strict=False):
            assert ctypes.c_int(value).value == place.value, (form, text)


def test_a_month_that_is_no_month(tmp_path: Path) -> None:
    """Found by running: what is read is what the text says."""
    path = tmp_path / "date.c"
    path.write_text("""#include <stdio.h>
static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
int main(void) {
  char line[32]; int y, m;
  while (fgets(line, sizeof line, stdin)) {
    if (sscanf(line, "%d-%d", &y, &m) != 2) continue;
    if (m < 0 || m > 12) continue;
    printf("%d\\n", days[m - 1]);
  }
  return 0;
}
""")
    answer = revet.check(path, engine="explore", timeout=300)
    assert answer.status == "unsafe", answer.verdict
    assert "index -1 is outside of an array of 12" in render(answer)
