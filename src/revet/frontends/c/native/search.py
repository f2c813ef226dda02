"""The process that searches, and what goes back and forth.

It works only when told to and only for a number of steps: while its engine is stopped (portfolios take
turns), so is the search. What it finds is a list of inputs: a hint, which the interpreter of C must confirm.
"""

from __future__ import annotations

import os
import resource
import select
import struct
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from revet.budget import Budget
from revet.frontends.c.ast import CProgram
from revet.frontends.c.interpret.draws import Draw
from revet.frontends.c.interpret.floating import narrow
from revet.frontends.c.native.build import Checkpoints, build
from revet.frontends.c.processes import NotRun, guarded
from revet.frontends.c.temporary import temporary_folder
from revet.frontends.c.types import CType, Floating, Int

ENDED, STOPPED, CRASHED, LIMIT, REACHED, EXHAUSTED, UNLINKED = range(7)
_COMMAND, _ANSWER, _DRAW = struct.Struct("<QQII"), struct.Struct("<QIIII"), struct.Struct("<qii")
_LIMITS = {
    resource.RLIMIT_CORE: 0, resource.RLIMIT_AS: 2_000_000 * 1024, resource.RLIMIT_FSIZE: 0,
    resource.RLIMIT_STACK: 200_000 * 1024,
}
_TRACE = (1 << 32) - 1
_PATIENCE = 20.0  # seconds for an answer that should take a tenth of one


class Died(Exception):
    """The process is gone: a run destroyed what the search needs."""


@dataclass(frozen=True, slots=True)
class Report:
    """What some runs came to: how the last one ended and how many values it drew; ``calls`` are
    those values if it reached the error."""

    how: int
    runs: int
    drawn: int
    kept: int
    steps: int
    calls: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Traced:
    """What a run with given inputs told at its checkpoints: places and values, one after the other."""

    how: int
    drawn: int
    words: tuple[int, ...]


class NativeSearch:
    """The search process of one program."""

    def __init__(self, folder: Path, drawing: list[tuple[str, CType]]) -> None:
        self._drawing = drawing
        command, before = guarded([str(folder / "search")], _LIMITS)
        self._process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, env={"PATH": "/usr/bin:/bin"}, bufsize=0, preexec_fn=before,
        )
        self._rate = 20e6  # steps a second, to begin with

    @property
    def fed(self) -> frozenset[str]:
        """The functions whose results are given to the compiled program."""
        return frozenset(name for name, _ in self._drawing)

    @property
    def process_id(self) -> int:
        return self._process.pid

    def zeros(self, limit: int) -> Report:
        """One run with nothing but zeros."""
        return self._ask(limit, limit, 1)

    def runs(self, limit: int, seconds: float) -> Report:
        """Runs of at most ``limit`` steps each, for about so long or until one reaches the error."""
        steps = max(1, int(seconds * self._rate))
        start = time.monotonic()
        report = self._ask(limit, steps, 0)
        if report.how != REACHED:
            spent = max(time.monotonic() - start, 0.001)
            self._rate = max(1e5, min(1e9, (self._rate + report.steps / spent) / 2))
        return report

    def kept(self, number: int) -> list[int]:
        """Inputs that led to something new, as 64 bits each (floats by their representation)."""
        self._send(0, 0, 0, number + 1)
        drawn = _ANSWER.unpack(self._read(_ANSWER.size))[3]
        return [value for value, _, _ in _DRAW.iter_unpack(self._read(drawn * _DRAW.size))]

    def trace(self, given: Sequence[Draw], limit: int) -> Traced:
        """One run with exactly these inputs, of a program with checkpoints. Raises :class:`NotRun` if it
        calls what no run was thought to reach."""
        self._send(limit, len(given), 0, _TRACE)
        self._write(b"".join(map(_packed, given)))
        _, how, _, drawn, words = _ANSWER.unpack(self._read(_ANSWER.size))
        told = struct.unpack(f"<{words}q", self._read(8 * words))
        if how == UNLINKED:
            raise NotRun("a function is called that is not linked into runs that follow each other")
        return Traced(how, drawn, told)

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            stream.close()

    def _send(self, limit: int, steps: int, zeros: int, entry: int) -> None:
        self._write(_COMMAND.pack(limit, steps, zeros, entry))

    def _write(self, data: bytes) -> None:
        assert self._process.stdin is not None
        try:
            while data:
                data = data[self._process.stdin.write(data) :]
        except BrokenPipeError:
            raise Died from None

    def _ask(self, limit: int, steps: int, zeros: int) -> Report:
        self._send(limit, steps, zeros, 0)
        used, how, runs, drawn, kept = _ANSWER.unpack(self._read(_ANSWER.size))
        calls: tuple[tuple[str, str], ...] = ()
        if how == REACHED:
            data = self._read(drawn * _DRAW.size)
            calls = tuple(self._call(value, number) for value, number, _ in _DRAW.iter_unpack(data))
        return Report(how, runs, drawn, kept, used, calls)

    def _read(self, size: int) -> bytes:
        assert self._process.stdout is not None
        number, data, ends = self._process.stdout.fileno(), b"", time.monotonic() + _PATIENCE
        while len(data) < size:
            ready = select.select([number], [], [], max(0.0, ends - time.monotonic()))[0]
            more = os.read(number, size - len(data)) if ready else b""
            if not more:
                raise Died
            data += more
        return data

    def _call(self, value: int, number: int) -> tuple[str, str]:
        """A drawn value as :class:`InputTrace` writes it."""
        name, type = self._drawing[number]
        if isinstance(type, Floating):
            wide: float = struct.unpack("<d", struct.pack("<q", value))[0]
            return name, narrow(wide, 32 if type.bits == 32 else 64).hex()
        return name, str(type.wrap(value) if isinstance(type, Int) else value)


def _packed(draw: Draw) -> bytes:
    """A given value as the program takes it: 64 bits."""
    if isinstance(draw.type, Floating):
        return struct.pack("<d", draw.value)
    return struct.pack("<Q", int(draw.value) % (1 << 64))


@contextmanager
def native_search(
    program: CProgram,
    constants: tuple[tuple[int, ...], tuple[float, ...]],
    entry: str,
    errors: tuple[str, ...],
    trap: str,
    budget: Budget,
    checkpoints: Checkpoints | None = None,
) -> Iterator[NativeSearch]:
    """Build the program and start its search; raises what :func:`build` raises. ``trap`` names the part of
    UBSan whose trap is the error, if there is one; else runs with undefined behaviour count for nothing."""
    with temporary_folder("search") as folder:
        stubs = build(folder, program, constants, entry, errors, trap, budget, checkpoints)
        search = NativeSearch(folder, stubs.drawing)
        try:
            yield search
        finally:
            search.close()
