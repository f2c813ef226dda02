"""``__attribute__((cleanup(f)))``: on every way out of a scope, in the compiler's order."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import revet
from revet.errors import Unsupported
from revet.frontends.c import load

CC = shutil.which("gcc") or shutil.which("cc")
TEXT = """#include <assert.h>
static int seen[16], n;
static void done(int *p) { seen[n++] = *p; }
#define AUTO __attribute__((cleanup(done)))
struct two { int x, y; };
static int g(int k) {
  AUTO int a = 1;
  for (int i = 0; i < 3; i++) {
    AUTO int b = 10 + i;
    if (i == 0) continue;
    if (i == k) break;
    switch (k) { case 7: { AUTO int z = 70; if (i == 1) break; goto out; } case 9: continue; }
    if (k == 8) return a + b;
  }
  { AUTO int c = 5; a = 2; AUTO int d = 6; }
out:
  return a;
}
static struct two pair(void) { AUTO int a = 3; struct two t = { a, 4 }; return t; }
static void again(void) { int i = 0; back:; AUTO int x = i; if (++i < 3) goto back; }
static int is(const int *w, int k) {
  int same = n == k;
  for (int i = 0; i < k; i++) same = same && seen[i] == w[i];
  n = 0;
  return same;
}
#define SAW(...) assert(is((int[]){__VA_ARGS__}, sizeof((int[]){__VA_ARGS__}) / sizeof(int)))
int main(void) {
  assert(g(1) == 2); SAW(10, 11, 6, 5, 2);
  assert(g(8) == 12); SAW(10, 11, 1);
  assert(g(7) == 1); SAW(10, 70, 11, 70, 12, 1);
  assert(g(9) == 2); SAW(10, 11, 12, 6, 5, LAST);
  assert(pair().y == 4); SAW(3);
  again(); SAW(0, 1, 2);
  return 0;
}
"""


@pytest.mark.parametrize("engine", ["explore", "bmc"])
@pytest.mark.parametrize(("last", "status"), [("2", "safe"), ("1", "unsafe")])
def test_every_way_out(tmp_path: Path, last: str, status: str, engine: str) -> None:
    """Model, interpreter and compiled program agree."""
    path = tmp_path / "ways.c"
    path.write_text(TEXT.replace("LAST", last))
    answer = revet.check(path, engine=engine, property="assertions", timeout=300)
    assert answer.status == status, answer.verdict
    if CC is not None:
        subprocess.run([CC, "-w", path, "-o", tmp_path / "ways"], check=True)
        code = subprocess.run([tmp_path / "ways"], check=False, capture_output=True).returncode
        assert (code == 0) == (status == "safe")


@pytest.mark.parametrize(("body", "status"), [
    ("if (x) return 1; p[0] = 1; return p[0];", "safe"), ("free(p); return 1;", "unsafe"),
])
def test_what_is_freed_by_itself(tmp_path: Path, body: str, status: str) -> None:
    path = tmp_path / "freed.c"
    path.write_text(
        "#include <stdlib.h>\nstatic void freep(void *p) { free(*(void **)p); }\n"
        "static int use(int x) { __attribute__((cleanup(freep))) char *p = malloc(3); if (!p) return 0;"
        f" {body} }}\nextern int any(void); int main(void) {{ return use(any()); }}\n"
    )
    answer = revet.check(path, engine="bmc", property="memory,leaks", timeout=300)
    assert answer.status == status, answer.verdict


def test_what_is_left_out_is_refused_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "left.c"
    path.write_text(
        "static void done(int *p) {}\nint main(void) {\n"
        "  __attribute__((cleanup(done))) int a = 1;\n  return ({ if (a) return 2; a; });\n}\n"
    )
    with pytest.raises(Unsupported, match="statement expression") as caught:
        load([path])
    assert caught.value.position is not None and caught.value.position.line == 4
