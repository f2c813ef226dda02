"""The table of known functions: one row each, read from ``tables/*.txt``.

A line is a treatment, a prototype and a remark. ``exact**`` stands for three functions: ``double f(double)``,
``float ff(float)`` and ``long double fl(long double)``; with one star the last is refused. A refused function
needs no prototype: such a line may list names. ``<header> C`` begins the rows of a header.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent / "tables"
_PARAMETERS = r"\((?P<parameters>(?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)"
_PROTOTYPE = re.compile(rf"(?P<result>[\w ]+?[ *]+)(?P<name>\w+){_PARAMETERS}(?P<note>.*)")


class Treatment(Enum):
    """How a function without a body is treated."""

    EXACT = "exact"
    """what the standard says, in a proof and in a run"""
    SIGN = "sign"
    """exact where only the result's sign is asked for; its size is the library's choice"""
    TRUTH = "truth"
    """exact where only the result's truth is asked for; which number is the library's choice"""
    BOUNDS = "bounds"
    """within guaranteed bounds in a proof; where the value decides, the compiled program tells"""
    MODEL = "model"
    """less than the value is known in a proof, the value in a run"""
    PRINT = "print"
    """prints and leaves memory alone; the result is any number in a proof, the number written in a run"""
    INPUT = "input"
    """from outside: any value in the documented range"""
    QUIET = "quiet"
    """without effect on what is checked"""
    REFUSED = "refused"
    """an error with the place of the call"""


@dataclass(frozen=True, slots=True)
class Row:
    """A known function. ``prototype`` is empty where only the name is known (refused ones)."""

    name: str
    treatment: Treatment
    header: str
    origin: str  # "C", "POSIX", "compiler" or "verifier"
    prototype: str = ""
    note: str = ""


@cache
def rows() -> dict[str, Row]:
    """All rows, by the function's name."""
    found: dict[str, Row] = {}
    for file in ("memory", "numbers", "system", "verifiers"):
        for row in _read((_FOLDER / f"{file}.txt").read_text("utf-8")):
            assert row.name not in found, f"{row.name} has two rows"
            found[row.name] = row
    return found


def _read(text: str) -> Iterator[Row]:
    header = origin = ""
    for line in text.splitlines():
        if line.startswith("<"):
            header, _, origin = line.rpartition(" ")
        elif line:
            word, _, rest = line.partition(" ")
            yield from _row(Treatment(word.rstrip("*")), word.count("*"), rest.strip(), header, origin)


def _row(treatment: Treatment, stars: int, rest: str, header: str, origin: str) -> Iterator[Row]:
    match = _PROTOTYPE.match(rest)
    if match is None:
        assert treatment is Treatment.REFUSED, rest
        yield from (Row(name, treatment, header, origin) for name in rest.split())
        return
    name, parameters, note = match["name"], match["parameters"], match["note"].strip()
    result = match["result"].strip()
    yield Row(name, treatment, header, origin, f"{result} {name}({parameters})", note)
    if stars:
        for suffix, type in (("f", "float"), ("l", "long double")):
            text = f"{_as(result, type)} {name}{suffix}({_as(parameters, type)})"
            refused = suffix == "l" and stars == 1
            yield Row(
                name + suffix, Treatment.REFUSED if refused else treatment, header, origin, text,
                "of a long double: not modelled" if refused else note,
            )


def _as(text: str, type: str) -> str:
    return re.sub(r"(?<!long )double", type, text)
