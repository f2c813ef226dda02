"""Calls of exactly modelled library functions, compared in model, interpreter and compiled program.

    python tests/frontends/c/compare_calls.py --calls 20000 --seconds 1200

Every seed gives one call of each such function with generated arguments; the compiled program observes what
the calls did, and that is asserted. Many calls are one program: the model is asked by ``bmc``, the
interpreter by ``explore``; a program that is not proved is split until one call remains. Prints how many
calls were *safe*, not decided and refused, and every contradiction; the status is 1 if there is one. The
numbers are printed after every seed, so that a run may be ended at any time.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from test_library_net import ENDS, Made, claim, made, program, status, values

from revet.frontends.c.analysis.call_graph import called
from revet.frontends.c.library.table import Treatment, rows

ENGINES = ("bmc", "explore")
_STATE = ("fesetround", "strtok", "srand")  # what they do others see: each in a program of its own


def exact(seed: int) -> list[Made]:
    """One call of every function that is modelled exactly and may be run."""
    return [
        call for call in made(seed)
        if call.runs and rows()[call.function.name].treatment is Treatment.EXACT
        and call.function.name not in ENDS
    ]


def compare(seed: int, size: int, seconds: float, engines: list[str]) -> dict[str, Counter[str]]:
    """How many calls ended how, by engine; contradictions are printed."""
    calls = exact(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        claims = [claim(call, seen) for call, seen in zip(calls, values(folder, calls), strict=True)]
        order = [n for n, call in enumerate(calls) if call.function.name not in _STATE]
        groups = [order[first : first + size] for first in range(0, len(order), size)]
        groups += [[n] for n in range(len(calls)) if n not in order]
        return {engine: _grouped(folder, claims, groups, engine, seconds) for engine in engines}


def _grouped(
    folder: Path, claims: list[str], groups: list[list[int]], engine: str, seconds: float
) -> Counter[str]:
    found: Counter[str] = Counter()
    while groups:
        whole = program(folder, claims, groups)
        graph, rest = called(whole), []
        for number, group in enumerate(groups):
            answer = status(whole, graph, f"batch{number}", engine, seconds)
            if answer == "safe" or len(group) == 1:
                found[answer] += len(group)
                if answer != "safe":
                    said = "contradicts the machine" if answer == "unsafe" else f"says {answer}"
                    print(f"{engine} {said}: {claims[group[0]]}", flush=True)
            else:
                half = (len(group) + 1) // 2
                rest += [group[:half], group[half:]]
        groups = rest
    return found


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--calls", type=int, default=20_000)
    options.add_argument("--seconds", type=float, default=1200, help="of processor time, for all")
    options.add_argument("--first", type=int, default=1000, help="the first seed")
    options.add_argument("--size", type=int, default=24, help="calls in a program")
    options.add_argument("--limit", type=float, default=3, help="seconds for a program")
    options.add_argument("--engine", action="append", choices=ENGINES, help="only this one (more may follow)")
    given = options.parse_args()
    engines = given.engine or list(ENGINES)
    total: dict[str, Counter[str]] = {engine: Counter() for engine in engines}
    seed = given.first
    while total[engines[0]].total() < given.calls and time.process_time() < given.seconds:
        for engine, found in compare(seed, given.size, given.limit, engines).items():
            total[engine] += found
        seed += 1
        shown = "; ".join(f"{engine}: {dict(counts)}" for engine, counts in total.items())
        print(f"{seed - given.first} seeds, {time.process_time():.0f} s: {shown}", flush=True)
    return int(any(counts["unsafe"] for counts in total.values()))


if __name__ == "__main__":
    sys.exit(main())
