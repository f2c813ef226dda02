"""``-``: a program of any language from standard input."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from revet.cli.commands import revet
from revet.errors import UsageError
from revet.frontends.registry import LANGUAGES

EXAMPLES = Path(__file__).parents[2] / "examples"
PROGRAMS = {
    "c": "c/power.c", "aut": "aut/ferry.aut", "theta": "theta/overfull.cfa", "spa": "spa/division.spa",
    "aiger": "aiger/counter.aag", "btor2": "btor2/lossy.btor2", "horn": "horn/race.smt2",
    "vmt": "vmt/handshake.vmt", "moxi": "moxi/airlock.moxi", "sts": "sts/wrap.sts",
    "boogie": "boogie/staircase.bpl", "lustre": "lustre/sums.lus",
}


def ran(*arguments: str, given: str | bytes = "") -> Result:
    result = CliRunner().invoke(revet, list(arguments), input=given, standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    return result


def test_every_language_is_read() -> None:
    assert set(PROGRAMS) == {language.name for language in LANGUAGES}


@pytest.mark.parametrize("language", PROGRAMS)
def test_the_same_model_as_from_the_file(language: str) -> None:
    path = EXAMPLES / PROGRAMS[language]
    from_file = ran("show", str(path)).output
    piped = ran("show", "-", "--language", language, given=path.read_bytes()).output
    named = re.sub(r"[^\s(]*/revet-input-\w+", str(path.parent), piped).replace("stdin", path.stem)
    assert from_file == named and len(named.splitlines()) > 3


def test_a_suffix_tells_dialects_apart() -> None:
    lamp, lift = (EXAMPLES / name for name in ("moxi/lamp.json", "sts/elevator.system"))
    assert "transition system" in ran("show", "-", "-x", "json", given=lamp.read_text()).output
    assert "transition system" in ran("show", "-", "-x", "system", given=lift.read_text()).output


def test_answers_and_images() -> None:
    lock = (EXAMPLES / "seeds/lock.aut").read_text()
    done = ran("check", "-", "-x", "aut", "--engine", "bmc", "-O", "direction=backward", "-q", given=lock)
    assert done.output == "verdict: safe\n" and done.return_value == 0
    rho = (EXAMPLES / "seeds/rho.cfa").read_text()
    assert ran("post", "-", "at l1", "-x", "theta", given=rho).output == "at l2 and y >= z\n"
    infeasible = ran("path", "-", "q_1 q_2 q_bad", "-x", "aut", given=lock)
    assert infeasible.output.startswith("infeasible") and infeasible.return_value == 1


def test_monitors() -> None:
    slides = (EXAMPLES / "streams/slides.py").read_text()
    assert "fib" in ran("simulate", "-", "4", "-x", "python", given=slides).output


def test_commands_that_know_one_language(tmp_path: Path) -> None:
    node = "node half(x: int) returns (y: int); let y = x / 2; tel"
    values = tmp_path / "values.json"
    values.write_text('[{"x": 8}]')
    assert "4" in ran("interpret", "-", str(values), given=node).output


def test_nothing_is_left_behind() -> None:
    before = set(os.listdir(tempfile.gettempdir()))
    ran("show", "-", "-x", "spa", given="int x; x = 1; assert(x == 1);")
    left = set(os.listdir(tempfile.gettempdir())) - before
    assert not [name for name in left if name.startswith("revet-input-")]


def test_the_language_must_be_named_and_only_then() -> None:
    with pytest.raises(UsageError, match="say what standard input holds: --language c"):
        ran("check", "-", given="int main() { return 0; }")
    with pytest.raises(UsageError, match="for standard input"):
        ran("show", "-x", "c", str(EXAMPLES / "c/power.c"))
