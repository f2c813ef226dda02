"""Arrays of arrays of variable length: the elements that C means, and the ends of the whole object."""

from __future__ import annotations

from pathlib import Path

import pytest

import revet
from revet.errors import Unsupported

HEAD = """#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static void fill(int n, int m, double a[n][m], double v) {
  int k = m; m = 0; n++;
  for (int i = 0; i < n - 1; i++) for (int j = 0; j < k; j++) a[i][j] = v + i * 10 + j;
}
static int total(int x, int y, int z, int (*c)[y][z]) {
  int s = 0;
  for (int i = 0; i < x; i++) for (int j = 0; j < y; j++) for (int k = 0; k < z; k++) s += c[i][j][k];
  return s;
}
"""
TRUE = {
    "lengths are those of the declaration": """int n = 2, m = 3; double a[n][m + 1]; m++; n = 9;
      fill(2, m, a, 0.5); m = 0;
      assert(a[1][2] == 12.5 && *(a[1] + 3) == 13.5 && (*(a + 1))[0] == 10.5);""",
    "sizes": """int n = 2, m = 4; char a[n][m][3]; double (*p)[m] = 0;
      assert(sizeof a == 24 && sizeof a[0] == 12 && sizeof a[0][1] == 3 && sizeof *p == 32);
      assert(sizeof(int[n][m]) == 32 && sizeof p == sizeof(void *) && !p);""",
    "pointers to rows": """int n = 3, m = 2; int a[n][m]; a[2][1] = 7; int (*p)[m] = &a[1];
      assert((*(p + 1))[1] == 7 && p[1][1] == 7 && p - a == 1 && p == a + 1 && &a[2] - p == 1);""",
    "on the heap": """int n = 2, m = 3; int (*h)[m] = malloc(sizeof(int[n][m])); if (!h) return 0;
      h[1][2] = 7; assert(((int *)h)[5] == 7); free(h);""",
    "a name for rows": """int n = 2, m = 3; typedef int row[m + 1]; m = 9; row a[n]; row *p = a; a[1][3] = 7;
      typedef row *rows; rows q = p + 1; assert(sizeof(row) == 16 && sizeof a == 32 && sizeof *q == 16);
      assert(p[1][3] == 7 && (*q)[3] == 7 && q - a == 1);""",
    "a name in a loop": """int s = 0; for (int i = 1; i < 4; i++) { typedef short t[i]; s += (int)sizeof(t); }
      assert(s == 12);""",
    "three lengths": """int n = 2, m = 3; int c[n][2][m];
      for (int i = 0; i < n; i++) for (int j = 0; j < 2; j++) for (int k = 0; k < m; k++) c[i][j][k] = 1;
      c[1][1][2] = 5; assert(total(n, 2, m, c) == 16);""",
}
FALSE = {
    "another row": "int n = 2, m = 3; int a[n][m]; a[0][2] = 1; a[1][1] = 2; assert(a[1][1] == a[0][2]);",
    "behind a row with a name": "int n = 2; typedef int row[n]; row a; n = 9; a[2] = 1;",
    "behind the last row": "int n = 2, m = 3; int a[n][m]; a[n][0] = 1;",
    "behind the last row, through a pointer": "int n = 2, m = 3; double a[n][m]; fill(n + 1, m, a, 1);",
    "no row": "int n = __VERIFIER_nondet_int(); if (n > 4) return 0; int a[n][n]; (void)a;",
    "a negative number of negative rows": "int n = -2; int a[n][n]; (void)a;",
}


def _answer(folder: Path, body: str) -> revet.Result:
    path = folder / "rows.c"
    path.write_text(f"{HEAD}int main(void) {{ {body} return 0; }}\n")
    return revet.check(path, engine="bmc", timeout=300)


@pytest.mark.parametrize("name", TRUE)
def test_what_holds(tmp_path: Path, name: str) -> None:
    answer = _answer(tmp_path, TRUE[name])
    assert answer.status == "safe", answer.verdict


@pytest.mark.parametrize("name", FALSE)
def test_what_does_not(tmp_path: Path, name: str) -> None:
    answer = _answer(tmp_path, FALSE[name])
    assert answer.status == "unsafe", answer.verdict


def test_that_an_index_stays_in_its_row_is_assumed(tmp_path: Path) -> None:
    answer = _answer(tmp_path, "int n = 2, m = 3; int a[n][m]; a[0][4] = 1;")
    assert answer.status == "safe" and any("stays in its row" in one for one in answer.program.assumptions)


@pytest.mark.parametrize("use", [
    "p++; (void)p;", "p += 1; (void)p;", "(n ? p : a)[1][0] = 1;",
    "int (*q[2])[m]; (void)q;", "typedef int row[m]; row *r = a; r++; (void)r;",
    "typedef int row[m], *other; row r; (void)r;",
])
def test_what_is_refused(tmp_path: Path, use: str) -> None:
    with pytest.raises(Unsupported):
        _answer(tmp_path, f"int n = 2, m = 3; int a[n][m]; int (*p)[m] = a; {use}")
