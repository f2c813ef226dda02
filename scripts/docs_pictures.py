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
    "portfolio": Explained(
        "portfolio", "processes of one check", "",
        (
            Box("p", "revet check", ("reads the program, chooses",), "initial"),
            Box("a", "worker", ("pdr-cfa",)), Box("b", "worker", ("kind",)), Box("c", "worker", ("waits for its turn",)),
            Box("k", "checker", ("certificate or replay",)), Box("v", "verdict", ("the first confirmed",)),
        ),
        (
            Arrow("p", "a", "fork"), Arrow("p", "b", "fork"), Arrow("p", "c", "fork"),
            Arrow("a", "k", "claims: safe"), Arrow("k", "v", "accepted", "run"),
            Arrow("k", "p", "refused: go on", "covered"),
        ),
    ),
    "houdini": Explained(
        "houdini", "candidates that are not kept by a step are dropped", "",
        (
            Box("g", "guessed", ("0 <= x, x <= n, x < n, x = y",), "initial"),
            Box("1", "after round 1", ("0 <= x, x <= n, x < n",)),
            Box("2", "after round 2", ("0 <= x, x <= n",)),
            Box("s", "inductive", ("excludes the error? safe",)), Box("u", "too weak", ("unknown",), "error"),
        ),
        (
            Arrow("g", "1", "a step breaks x = y"), Arrow("1", "2", "a step breaks x < n"),
            Arrow("2", "s", "no step breaks any", "run"), Arrow("2", "u", "or", "covered"),
        ),
    ),
    "invgen": Explained(
        "invgen", "templates filled from samples, then proved", "",
        (
            Box("s", "samples", ("(0,0) (1,2) (2,4)",), "initial"),
            Box("t", "what fits them", ("y = 2*x, 0 <= x, x <= 2",)),
            Box("i", "inductive part", ("y = 2*x, 0 <= x",)), Box("k", "kind", ("induction with them",)),
        ),
        (
            Arrow("s", "t", "bounds, sums, equations"), Arrow("t", "i", "Houdini drops x <= 2"),
            Arrow("i", "k", "handed over", "run"),
        ),
    ),
    "boxes": Explained(
        "boxes", "y = x - x*x*x/6 > -0.01? The input is halved until intervals decide", "",
        (
            Box("a", "x in [0, 1]", ("y in [-0.17, 1]: undecided",), "initial"),
            Box("b", "x in [0, 0.5]", ("y in [-0.02, 0.5]: undecided",)),
            Box("c", "x in [0.5, 1]", ("y in [0.33, 0.98]: safe",)),
            Box("d", "x in [0, 0.25]", ("y in [-0.003, 0.25]: safe",)), Box("e", "x in [0.25, 0.5]", ("y in [0.22, 0.5]: safe",)),
        ),
        (Arrow("a", "b", ""), Arrow("a", "c", ""), Arrow("b", "d", ""), Arrow("b", "e", "")),
    ),
    "explore": Explained(
        "explore", "inputs that reach something new are kept and changed", "",
        (
            Box("p", "kept inputs", ("0 0 0; 7 0; …",), "initial"), Box("c", "cut off, changed, spliced"),
            Box("r", "a run of the compiled program"), Box("i", "the interpreter repeats it", ("unsafe",), "error"),
        ),
        (
            Arrow("p", "c", "choose"), Arrow("c", "r", "up to 100 000 a second"), Arrow("r", "p", "new code: keep"),
            Arrow("r", "i", "reaches the error", "run"),
        ),
    ),
    "summaries": Explained(
        "summaries", "a call is replaced by the callee's contract", "",
        (
            Box("m", "main", ("r := power(2, 8)",), "initial"),
            Box("c", "contract of power", ("requires n >= 0", "ensures result >= 1")),
            Box("b", "body of power", ("calls itself: the contract again",)), Box("e", "error", ("r < 1",), "error"),
        ),
        (
            Arrow("m", "c", "call"), Arrow("c", "e", "excluded", "covered"), Arrow("b", "c", "keeps it"),
            Arrow("c", "b", "assumed inside"),
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
    command = [sys.executable, "-m", "revet", "show", "examples/seeds/transition_system_W_flipped.aut",
               "--stage", "states", "--format", "svg", "-o", str(PICTURES / "states-W.svg")]
    subprocess.run(command, cwd=ROOT, check=True)


if __name__ == "__main__":
    main()
