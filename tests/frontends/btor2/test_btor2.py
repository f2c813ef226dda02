"""BTOR2: every operator by two routes, whole files, errors with places, damaged files."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from revet.api import check
from revet.errors import InputError
from revet.frontends.btor2 import program_of
from revet.frontends.btor2.file import BINARY, COMPARISONS, LOGICAL, OVERFLOWS, REDUCTIONS, UNARY, read_btor2
from revet.frontends.btor2.interpret import Machine
from revet.frontends.btor2.translate import Translation
from revet.logic.evaluate import Evaluator
from revet.result import Unsafe

COUNTER = """; counts up to a limit when enabled, and stops there
1 sort bitvec 1
2 sort bitvec 4
3 input 1 enable
4 state 2 count
5 zero 2
6 init 2 4 5
7 constd 2 {limit}
8 ult 1 4 7
9 and 1 3 8
10 inc 2 4
11 ite 2 9 10 4
12 next 2 4 11
13 constd 2 9
14 eq 1 4 13
15 bad 14 nine
"""

MEMORY = """1 sort bitvec 2
2 sort bitvec 8
3 sort array 1 2
4 sort bitvec 1
5 input 1 address
6 input 2 data
7 state 3 memory
8 zero 2
9 init 3 7 8
10 slice 2 6 7 0
11 redor 4 10
12 constd 2 {largest}
13 ulte 4 6 12
14 constraint 13
15 write 3 7 5 6
16 next 3 7 15
17 read 2 7 5
18 constd 2 200
19 ugt 4 17 18
20 bad 19
"""


def one_operation(tag: str, random: Random) -> tuple[str, list[int]]:
    """A file with one operator on inputs of random widths, and the widths."""
    width = 1 if tag in LOGICAL else random.choice([1, 2, 3, 4, 5, 8, 13])
    lines = ["1 sort bitvec 1"]
    sorts = {1: 1}

    def sort(bits: int) -> int:
        if bits not in sorts:
            sorts[bits] = 100 + bits
            lines.append(f"{sorts[bits]} sort bitvec {bits}")
        return sorts[bits]

    widths = [width] if tag in (*UNARY, *REDUCTIONS, "slice", "uext", "sext") else [width, width]
    numbers = ""
    result = width if tag in (*UNARY, *BINARY, "ite") else 1
    if tag == "concat":
        widths = [width, random.randint(1, 6)]
        result = sum(widths)
    elif tag == "slice":
        low = random.randrange(width)
        high = random.randrange(low, width)
        numbers, result = f" {high} {low}", high - low + 1
    elif tag in ("uext", "sext"):
        more = random.randint(0, 5)
        numbers, result = f" {more}", width + more
    elif tag == "ite":
        widths = [1, width, width]
    lines += [f"{1000 + n} input {sort(bits)}" for n, bits in enumerate(widths)]
    arguments = " ".join(random.choice(["", "-"]) + str(1000 + n) for n in range(len(widths)))
    kind = sort(result)
    lines += [f"2000 {tag} {kind} {arguments}{numbers}", "2001 redor 1 2000", "2002 bad 2001"]
    return "\n".join(lines), widths


@pytest.mark.parametrize(
    "tag",
    [*UNARY, *REDUCTIONS, *LOGICAL, *COMPARISONS, *OVERFLOWS, *BINARY, "eq", "neq", "concat", "slice",
     "uext", "sext", "ite"],
)
def test_interpreter_and_terms_agree(tag: str) -> None:
    random = Random(tag)
    for _ in range(12):
        text, widths = one_operation(tag, random)
        file = read_btor2(text, "f")
        translation, machine = Translation(file, "f"), Machine(file)
        for _ in range(25):
            values = [
                random.choice([0, 1, (1 << w) - 1, 1 << (w - 1), random.getrandbits(w)]) % (1 << w)
                for w in widths
            ]
            given: dict[int, Any] = {1000 + n: value for n, value in enumerate(values)}
            machine.read(given)
            state = {translation.variables[n]: value for n, value in given.items()}
            assert Evaluator(state)(translation.terms[2000]) == machine.values[2000], (tag, text, values)


@pytest.mark.parametrize(("text", "expected"), [
    (COUNTER.format(limit=8), "safe"),
    (COUNTER.format(limit=12), "unsafe"),
    (MEMORY.format(largest=200), "safe"),
    (MEMORY.format(largest=201), "unsafe"),
])
def test_verdicts(text: str, expected: str) -> None:
    program = program_of(text, Path("f.btor2"))
    answer = check(program, timeout=60)
    assert answer.status == expected
    if isinstance(answer.verdict, Unsafe):
        witness = program.witness(answer.verdict)
        assert witness.startswith("sat\nb0\n#0\n") and witness.endswith("\n.\n")
        assert "@0\n" in witness


def test_state_without_next_takes_any_value() -> None:
    """It starts with 0, as its line says, and then changes freely."""
    text = "1 sort bitvec 1\n2 state 1 s\n3 zero 1\n4 init 1 2 3\n5 bad 2\n"
    answer = check(program_of(text, Path("f.btor2")), engine="bmc", timeout=60)
    assert isinstance(answer.verdict, Unsafe) and len(answer.verdict.trace) == 1


@pytest.mark.parametrize(("text", "line", "message"), [
    ("1 sort bitvec 0\n", 1, "0 bits"),
    ("1 sort bitvec 1\n2 input 3\n", 2, "no sort"),
    ("1 sort bitvec 1\n2 and 1 5 5\n", 2, "not defined before"),
    ("1 sort bitvec 1\n2 frob 1 5 5\n", 2, "unknown tag"),
    ("1 sort bitvec 1\n1 input 1\n", 2, "not new"),
    ("1 sort bitvec 2\n2 input 1\n3 bad 2\n", 3, "single bit"),
    ("1 sort bitvec 2\n2 input 1\n3 sort bitvec 3\n4 add 3 2 2\n", 4, "has sort"),
    ("1 sort bitvec 2\n2 input 1\n3 slice 1 2 2 1\n", 3, "no bits"),
    ("1 sort bitvec 2\n2 const 1 101\n", 2, "bits"),
    ("1 sort bitvec 1\n2 input 1\n3 justice 1 2\n", 3, "not supported"),
    ("1 sort bitvec 1\n2 input 1\n", 1, "no property"),
    ("x\n", 1, "expected"),
])
def test_errors_say_where(text: str, line: int, message: str) -> None:
    with pytest.raises(InputError) as caught:
        program_of(text, Path("f.btor2"))
    assert f"f.btor2:{line}:" in str(caught.value) and message in str(caught.value)


def test_damaged_files_are_refused_or_read() -> None:
    random = Random(1)
    refused = 0
    for _ in range(500):
        text = random.choice([COUNTER.format(limit=8), MEMORY.format(largest=200)])
        for _ in range(random.randint(1, 3)):
            at = random.randrange(len(text))
            put = random.choice(["", "-", "9", " ", "\n", "x", "é"])
            text = text[:at] + put + text[at + random.randrange(3) :]
        try:
            program_of(text, Path("f.btor2"))
        except InputError:
            refused += 1
    assert 100 < refused < 500
