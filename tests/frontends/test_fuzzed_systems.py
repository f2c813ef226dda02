"""Damaged files of Horn clauses and transition systems are read or refused, never a traceback."""

from pathlib import Path
from random import Random

import pytest

from revet.errors import RevetError
from revet.frontends.horn import program_of as horn_of
from revet.frontends.moxi import program_of as moxi_of
from revet.frontends.sts import program_of as sts_of
from revet.frontends.vmt import program_of as vmt_of

EXAMPLES = Path(__file__).parents[2] / "examples"
READERS = {
    "horn/fibonacci.smt2": horn_of, "horn/race.smt2": horn_of, "vmt/handshake.vmt": vmt_of,
    "sts/elevator.system": sts_of, "sts/wrap.sts": sts_of,
    "moxi/airlock.moxi": moxi_of, "moxi/exchange.moxi": moxi_of, "moxi/lamp.json": moxi_of,
}
PIECES = [
    "(", ")", " ", "|", '"', ";", "'", "!", "x", "0", "-1", "1.5", "#b101", "true", "let", "forall",
    "(_ bv5 3)", "(as const (Array Int Int))", "(x Int)", "and", "=>", ":next", ":init", "prime", "G(", "}",
    "{", "var x : int", "999999999999999999999", "\n", "\x00", "ä", "(! x :named y)", "Real", "ite",
    "select", "store", "distinct", "div", ":input", ":subsys", ":query", "!=", "|x|'", "[", "]", ",",
    '"args"', "{}", "(Array Bool (Array Bool Int))", "(Array (Array Bool Int) Int)", "(_ BitVec 4)",
    "(_ BitVec 0)", "(define-sort S (T) (Array T T))", "(S Int)", "(declare-sort U 0)", "U", "to_int", "/",
    "(_ extract 3 0)", "(_ divisible 3)", "(exists ((x Int)) ", ":predicate", "Float32", "(_ +oo 3 5)", "mod",
    "(as const (S Bool))",
]


def mutated(text: str, rng: Random) -> str:
    for _ in range(rng.randrange(1, 4)):
        at, to = rng.randrange(len(text) + 1), rng.randrange(len(text) + 1)
        match rng.randrange(4):
            case 0:
                text = text[:at] + rng.choice(PIECES) + text[at:]
            case 1:
                text = text[:at] + text[at + rng.randrange(1, 12) :]
            case 2:
                text = text[: min(at, to)] + text[max(at, to) :]
            case 3:
                words = text.split(" ")
                words[rng.randrange(len(words))] = rng.choice(PIECES)
                text = " ".join(words)
    return text


def fuzz(name: str, seeds: range) -> int:
    """How many of the damaged files were read; what is raised must be an error of ours."""
    original, path, read = (EXAMPLES / name).read_text(), Path(name), 0
    for seed in seeds:
        text = mutated(original, Random(seed))
        try:
            READERS[name](text, path)
            read += 1
        except RevetError as error:
            assert str(error)
    return read


@pytest.mark.parametrize("name", READERS)
def test_damaged_files(name):
    read = fuzz(name, range(600))
    assert 0 < read < 600


@pytest.mark.long
@pytest.mark.parametrize("name", READERS)
def test_very_many_damaged_files(name):
    fuzz(name, range(600, 200_600))
