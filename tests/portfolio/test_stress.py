"""Killed children, full memory and signals at random moments: the contract holds all the same.

``pytest -m long`` makes the 300 runs; a few of them are made every time. A signal can only be
answered once Python has started and ``revet`` has installed its handlers: the clock starts then.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.portfolio.circuits import counter, multipliers
from tests.portfolio.processes import Family

C = "extern int __VERIFIER_nondet_int(void);\nextern void __VERIFIER_error(void);\nint main(void) {\n"
SAFE_C = C + """int x = 0, y = 0, n = __VERIFIER_nondet_int();
while (x < n) { x++; y += 2; }
if (n >= 0 && y != 2 * x) __VERIFIER_error();
return 0; }
"""
UNSAFE_C = C + """int x = __VERIFIER_nondet_int(), i = 0;
while (i < 6) { i++; if (x == i * 7) x = 100; }
if (x == 100 && i == 6) __VERIFIER_error();
return 0; }
"""
SAFE_SPA = """int x, y;
x = 0; y = 0;
while (nondet()) { x = x + 1; y = y + x; }
assert(y >= 0);
"""
UNSAFE_LUS = """node n(up: bool) returns (ok: bool);
var c: int;
let
  c = 0 -> if up then pre c + 1 else pre c;
  ok = c < 9;
  --%PROPERTY ok;
tel
"""
HARD_SPA = """int a, b, c;
while (nondet()) { a = a + 1; if (nondet()) { b = b + a; c = c - a; } }
assert(a*a*a + b*b*b != c*c*c + 42);
"""
PROGRAMS: dict[str, tuple[str | bytes, str]] = {
    "safe.c": (SAFE_C, "safe"),
    "unsafe.c": (UNSAFE_C, "unsafe"),
    "safe.spa": (SAFE_SPA, "safe"),
    "unsafe.lus": (UNSAFE_LUS, "unsafe"),
    "hard.spa": (HARD_SPA, "unsafe"),  # with numbers of 17 digits: nobody will find them here
    # Circuits begin in the parent, which forks in the middle of the engine's work (decision 52).
    "safe.aag": (multipliers(7), "safe"),
    "unsafe.aag": (counter(10, 500), "unsafe"),
    "hard.aag": (multipliers(12), "safe"),  # which takes a SAT solver much longer than the limit
}
ACTIONS = ("kill a child", "memory", "SIGINT", "SIGTERM", "kill the parent")
STATUS = {"safe": 0, "unsafe": 1, "unknown": 3}


def handlers_installed(pid: int) -> bool:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return True
    caught = next((int(line.split()[1], 16) for line in lines if line.startswith("SigCgt:")), 0)
    return bool(caught >> (signal.SIGTERM - 1) & 1)


def one_run(seed: int, folder: Path) -> str:
    """A run with one mishap; returns what happened, for the statistics of the long test."""
    choice = random.Random(seed)
    name = choice.choice(list(PROGRAMS))
    action = choice.choice(ACTIONS)
    soon = name.endswith(".aag") or choice.random() < 0.5  # while a circuit has its head start, or forks
    delay = choice.uniform(0.0, 0.8 if soon else 3.0)
    content, truth = PROGRAMS[name]
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    arguments = ["check", "--timeout", "6", path]
    if action == "memory":
        arguments += ["--memory", choice.choice(["64", "80", "100", "120", "150", "300"])]
    family = Family(arguments)
    while family.process.poll() is None and not handlers_installed(family.process.pid):
        time.sleep(0.005)
    if action != "memory":
        act(family, action, delay, choice)
    status, out, err = family.result(30)
    what = f"seed {seed}: {name}, {action} after {delay:.2f} s: status {status}\n{out}\n{err}"
    assert family.gone(), f"somebody is left: {what}"
    if action == "kill the parent" and status == -signal.SIGKILL:
        return f"{action}: killed"
    assert status in (0, 1, 3), what
    last = out.splitlines()[-1]
    verdict = last.removeprefix("verdict: ").split(" ")[0]
    assert last.startswith("verdict: ") and STATUS[verdict] == status, what
    assert verdict in (truth, "unknown"), what
    assert "Traceback" not in out + err, what
    return f"{action}: {verdict}"


def act(family: Family, action: str, delay: float, choice: random.Random) -> None:
    time.sleep(delay)
    if family.process.poll() is not None:
        return
    if action == "kill a child":
        children = family.children()
        if children:
            with contextlib.suppress(ProcessLookupError):  # it may be faster
                os.kill(choice.choice(children), signal.SIGKILL)
        return
    numbers = {"SIGINT": signal.SIGINT, "SIGTERM": signal.SIGTERM, "kill the parent": signal.SIGKILL}
    family.process.send_signal(numbers[action])


@pytest.mark.parametrize("seed", range(10))
def test_a_mishap(seed: int, tmp_path: Path) -> None:
    one_run(seed, tmp_path)


@pytest.mark.long
def test_three_hundred_mishaps(tmp_path: Path) -> None:
    happened: dict[str, int] = {}
    failures = []
    for seed in range(1000, 1300):
        try:
            outcome = one_run(seed, tmp_path)
        except (AssertionError, subprocess.TimeoutExpired) as failure:
            failures.append(str(failure))
        else:
            happened[outcome] = happened.get(outcome, 0) + 1
    print("\n".join(f"{count:4d}  {outcome}" for outcome, count in sorted(happened.items())))
    assert not failures, "\n\n".join(failures)
