"""``--explain``: the tables of a thesis from the command line, drawings, and what is refused."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.test_contract import EXAMPLES, revet

AS_PUBLISHED = (
    "--no-large-blocks", "--no-reduce", "-O", "levels=edges", "-O", "unsat-cores=false",
    "-O", "drop-literals=false", "-O", "split-equalities=false", "-O", "weaken-bounds=false",
    "-O", "propagate=false", "-O", "syntactic=false", "-O", "interpolate=no",
)
# Section 4.3.1, steps 1 to 5; the run ends with a counterexample in step 6.
GRAPH_A = """\
after blocking, levels 0 to 0
level  0
l0     true
l1     false
l2     false
l3     false

next level, levels 0 to 1
level  0      1
l0     true   true
l1     false  true
l2     false  true
l3     false  true

after blocking, levels 0 to 1
level  0                 1
l0     true              true
l1     false             true
l2     false and x != 1  true and x != 1
l3     false             true

next level, levels 0 to 2
level  0                 1                2
l0     true              true             true
l1     false             true             true
l2     false and x != 1  true and x != 1  true
l3     false             true             true
"""
# Section 4.3.2, steps 1 to 7.
GRAPH_B = """\
after blocking, levels 0 to 0
level  0
l0     true
l1     false
l2     false

next level, levels 0 to 1
level  0      1
l0     true   true
l1     false  true
l2     false  true

after blocking, levels 0 to 1
level  0                1
l0     true             true
l1     false and x = y  true and x = y
l2     false            true

next level, levels 0 to 2
level  0                1               2
l0     true             true            true
l1     false and x = y  true and x = y  true
l2     false            true            true

after blocking, levels 0 to 2
level  0                1               2
l0     true             true            true
l1     false and x = y  true and x = y  true and x = y
l2     false            true            true

fixpoint at level 2, levels 0 to 2
level  0                1               2
l0     true             true            true
l1     false and x = y  true and x = y  true and x = y
l2     false            true            true
"""


@pytest.mark.parametrize(
    ("example", "tables", "last"),
    [("graph_A.aut", GRAPH_A, "verdict: unsafe (lE)"), ("graph_B.cfa", GRAPH_B, "verdict: safe")],
)
def test_the_tables_of_werner(example: str, tables: str, last: str, tmp_path: Path) -> None:
    arguments = ("check", "--timeout", "60", "--engine", "pdr-cfa", *AS_PUBLISHED)
    done = revet(*arguments, "--explain", "-", EXAMPLES / "seeds" / example)
    assert done.stderr == ""
    assert done.stdout.startswith(tables)
    assert done.stdout.splitlines()[-1] == last
    file = tmp_path / "tables.txt"
    quiet = revet(*arguments, "--explain", file, EXAMPLES / "seeds" / example)
    assert file.read_text() == tables
    assert not quiet.stdout.startswith(tables) and quiet.stdout.splitlines()[-1] == last


def test_frames_are_drawn_on_the_automaton(tmp_path: Path) -> None:
    for name in ("frames.svg", "frames.dot"):
        done = revet(
            "check", "--engine", "pdr-cfa", *AS_PUBLISHED, "--explain", tmp_path / name,
            EXAMPLES / "seeds/graph_B.cfa",
        )
        assert done.returncode == 0
    drawn = ElementTree.fromstring((tmp_path / "frames.svg").read_text())
    texts = [node.text for node in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert {"l0", "l1", "l2", "lE", "F2: true and x = y", "assume x /= y"} <= set(texts)
    dot = (tmp_path / "frames.dot").read_text()
    assert r'"l1" [label="l1\lF0: false and x = y\lF1: true and x = y\lF2: true and x = y\l"]' in dot
    assert '"l1" -> "lE" [label="assume x /= y"]' in dot


def test_example_2_of_the_lecture_notes(tmp_path: Path) -> None:
    arguments = ("check", "--engine", "post", "-O", "subsumption=layer", "--no-reduce")
    done = revet(*arguments, "--explain", "-", EXAMPLES / "seeds/rho.cfa")
    assert """\
post^3
  at l2 and y >= z and x <= y (known)
  at l3 and y >= z and x = y (known)
  at l4 and y >= z and x >= y
so far
  at l1
  at l2 and y >= z
  at l3 and y >= z and x >= y
  at l4 and y >= z and x >= y
""" in done.stdout
    assert done.stdout.splitlines()[-1] == "verdict: safe"
    assert revet(*arguments, "--explain", tmp_path / "tree.svg", EXAMPLES / "seeds/rho.cfa").returncode == 0
    drawn = ElementTree.fromstring((tmp_path / "tree.svg").read_text())
    texts = [node.text for node in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert texts.count("y >= z and x <= y") == 3 and "l4  (layer 3)" in texts


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--engine", "kind", "--explain", "-"), "engine kind has no frames or tree to show"),
        (("--explain", "-"), "--explain: it needs one engine; choose --engine pdr, pdr-cfa, "),
        (("--engine", "pdr-cfa", "--explain", "frames.png"), "write to .txt, .dot, .svg or to -"),
    ],
)
def test_what_cannot_be_explained_is_refused(arguments: tuple[str, ...], message: str) -> None:
    done = revet("check", *arguments, EXAMPLES / "seeds/graph_B.cfa")
    assert done.returncode == 2 and done.stdout == ""
    assert message in done.stderr
