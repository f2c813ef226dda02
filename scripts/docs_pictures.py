"""Draws docs/pictures: the ideas of the engines as boxes and arrows, with Revet's own drawing.

The pictures of pdr-cfa, cegar and post are what these engines explain about an example.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from revet.events import Arrow, Box, Explained
from revet.report.drawing import drawing_svg

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "pictures"

EXPLAINED = {"pdr-cfa": "spa/lock.spa", "cegar": "spa/lock.spa", "post": "theta/thermostat.cfa"}
DRAWN = {
    "bmc": Explained(
        "bmc", "the loop unfolded: is some error@k reachable?", "",
        (
            Box("0", "loop@0", ("x0 = 0",), "initial"), Box("1", "loop@1", ("x1 = x0 + 1",)),
            Box("2", "loop@2", ("x2 = x1 + 1",)), Box("3", "loop@3", ("x3 = x2 + 1",)),
            Box("e1", "error@2", ("x1 > 2: no",), "error"), Box("e2", "error@3", ("x2 > 2: no",), "error"),
            Box("e3", "error@4", ("x3 > 2: yes",), "error"),
        ),
        (
            Arrow("0", "1", "step", "run"), Arrow("1", "2", "step", "run"), Arrow("2", "3", "step", "run"),
            Arrow("1", "e1", "check"), Arrow("2", "e2", "check"), Arrow("3", "e3", "check", "run"),
        ),
    ),
    "kind": Explained(
        "kind", "base and step for k = 2", "",
        (
            Box("i", "initial", ("P(s0), P(s1) hold",), "initial"),
            Box("a", "any state with P", ("reachable or not",)), Box("b", "a next state with P"),
            Box("c", "a next state without P", ("impossible: then P always holds",), "error"),
        ),
        (
            Arrow("i", "a", "base: the first 2 states"), Arrow("a", "b", "step"),
            Arrow("b", "c", "step: unsatisfiable?", "covered"),
        ),
    ),
    "absint": Explained(
        "absint", "x counts to 10: widened once, then narrowed", "",
        (
            Box("s", "start", ("x = 0",), "initial"), Box("l", "loop", ("[0,0], [0,1], [0,+oo], [0,10]",)),
            Box("b", "body", ("x in [0,9]",)), Box("e", "error", ("x > 10: empty",), "error"),
        ),
        (
            Arrow("s", "l", "x := 0"), Arrow("l", "b", "x < 10"), Arrow("b", "l", "x := x + 1"),
            Arrow("l", "e", "x > 10", "covered"),
        ),
    ),
    "pdr": Explained(
        "pdr", "frames, an obligation and the lemma that blocks it", "",
        (
            Box("0", "F0 = initial", (), "initial"), Box("1", "F1", ("lemma: not (a and b)",)),
            Box("2", "F2", ("obligation: a and b",)), Box("x", "bad", ("a and b and c",), "error"),
        ),
        (
            Arrow("0", "1", "one step"), Arrow("1", "2", "one step"),
            Arrow("2", "x", "a bad state in the last frame", "run"),
            Arrow("1", "2", "no predecessor in F1: generalise", "covered"),
        ),
    ),
    "pdr-ia": Explained(
        "pdr-ia", "frames over predicates; refinement finds new ones", "",
        (
            Box("p", "predicates", ("x >= 0, x < n",), "initial"),
            Box("f", "PDR over the predicates", ("frames, obligations, lemmas",)),
            Box("c", "abstract counterexample"), Box("r", "real run", ("unsafe",), "error"),
            Box("s", "two frames equal", ("safe",)),
        ),
        (
            Arrow("p", "f", ""), Arrow("f", "c", "an initial obligation"), Arrow("f", "s", "propagation"),
            Arrow("c", "r", "feasible", "run"), Arrow("c", "p", "infeasible: interpolants"),
        ),
    ),
    "ic3-qe": Explained(
        "ic3-qe", "a predecessor is projected, then enlarged to a box", "",
        (
            Box("m", "a model", ("x = 3, y = 7, input i = 2",)),
            Box("q", "exists i. step", ("x + 4 <= y: all these states lead there",)),
            Box("b", "bounding box", ("y >= 5",)), Box("l", "lemma", ("y < 5 in this frame",), "initial"),
        ),
        (
            Arrow("m", "q", "project the input"), Arrow("q", "b", "blocked: enlarge"),
            Arrow("b", "l", "still blocked: learn"),
        ),
    ),
    "imc": Explained(
        "imc", "interpolants instead of exact images", "",
        (
            Box("0", "R = initial", (), "initial"), Box("1", "R or I1", ("I1: interpolant",)),
            Box("2", "R or I1 or I2", ("nothing new: inductive",)),
            Box("e", "violated within k", (), "error"),
        ),
        (
            Arrow("0", "1", "no violation: interpolate"), Arrow("1", "2", "no violation: interpolate"),
            Arrow("0", "e", "satisfiable: a run", "run"), Arrow("1", "e", "satisfiable: larger k", "covered"),
        ),
    ),
    "spacer": Explained(
        "spacer", "a predicate a location, a Horn clause an edge", "",
        (
            Box("t", "true", (), "initial"), Box("p", "Loop(x, y)", ("unknown predicate",)),
            Box("f", "false", ("derivable?",), "error"),
        ),
        (
            Arrow("t", "p", "x = 0 and y = 0"), Arrow("p", "p", "x' = x + 1 and y' = y + 1"),
            Arrow("p", "f", "x != y"),
        ),
    ),
}


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    for name, picture in DRAWN.items():
        (PICTURES / f"{name}.svg").write_text(drawing_svg(picture))
    for engine, example in EXPLAINED.items():
        command = [sys.executable, "-m", "revet", "check", f"examples/{example}", "--engine", engine,
                   "--no-cache", "--quiet", "--explain", str(PICTURES / f"{engine}.svg")]
        subprocess.run(command, cwd=ROOT, check=True)
    command = [sys.executable, "-m", "revet", "show", "examples/theta/thermostat.cfa", "--format", "svg"]
    drawn = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    (PICTURES / "thermostat.svg").write_text(drawn.stdout)


if __name__ == "__main__":
    main()
