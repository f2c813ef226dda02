"""Reading AIGER 1.9, ASCII and binary.

Sections are parsed in bulk (one call converts all the numbers of a section), so that files with
hundreds of thousands of gates take a second or two; only when the totals do not fit is a section
gone through line by line, to say where it is wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.frontends.aiger.file import AigerFile, Source, read_header
from revet.model.circuit import ANY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from revet.errors import InputError
    from revet.frontends.aiger.file import Header

_DIGITS = b"0123456789 "


def read_aiger(path: str, data: bytes) -> AigerFile:
    source = Source(path, data)
    header = read_header(source)
    return _Binary(source, header).read() if header.binary else _Ascii(source, header).read()


class _Ascii:
    def __init__(self, source: Source, header: Header) -> None:
        self.source = source
        self.header = header
        self.lines = source.data.split(b"\n")
        self.at = 1  # index of the next line

    def read(self) -> AigerFile:
        header = self.header
        inputs = self._section("input", header.inputs, 1)
        latches, nexts, resets = self._latches()
        outputs = self._section("output", header.outputs, 1)
        bad = self._section("bad-state literal", header.bad, 1)
        constraints = self._section("constraint", header.constraints, 1)
        gate_line = self.at + 1
        triples = self._section("and-gate", header.ands, 3)
        gates = triples[0::3]
        self._check_definitions([("input", inputs, 2), ("latch", latches, 2 + header.inputs),
                                 ("and-gate", gates, gate_line)])
        file = AigerFile(header, inputs, latches, nexts, resets, outputs, bad, constraints,
                         gates, triples[1::3], triples[2::3], gate_line)
        read_symbols(self.source, file, self.lines[self.at :], self.at + 1)
        return file

    def _section(self, what: str, count: int, width: int) -> list[int]:
        """``count`` lines of ``width`` literals each."""
        lines = self.lines[self.at : self.at + count]
        text = b" ".join(lines)
        spaces = width - 1
        if (
            len(lines) == count
            and not text.translate(None, _DIGITS)
            and {line.count(b" ") for line in lines} <= {spaces}
        ):
            numbers = list(map(int, text.split()))
            top = 2 * self.header.variables + 1
            if len(numbers) == count * width and max(numbers, default=0) <= top:
                self.at += count
                return numbers
        raise self._faulty_line(what, lines, count, width)

    def _faulty_line(self, what: str, lines: Sequence[bytes], count: int, width: int) -> InputError:
        top = 2 * self.header.variables + 1
        shape = "one literal" if width == 1 else f"{width} literals separated by single spaces"
        for number, line in enumerate(lines):
            words = line.split(b" ")
            if len(words) != width or not all(word.isdigit() for word in words):
                return self.source.at_line(f"expected {what} {number}: {shape}", self.at + number + 1, line)
            large = [word for word in words if len(word) > 18 or int(word) > top]
            if large:
                return self.source.at_line(
                    f"literal {large[0].decode()} is beyond the {self.header.variables} variables announced",
                    self.at + number + 1, line,
                )
        return self.source.at_line(
            f"the file ends after {len(lines)} of {count} lines of section {what}", len(self.lines)
        )

    def _latches(self) -> tuple[list[int], list[int], list[int]]:
        latches: list[int] = []
        nexts: list[int] = []
        resets: list[int] = []
        top = 2 * self.header.variables + 1
        for number in range(self.header.latches):
            line = self.lines[self.at] if self.at < len(self.lines) else b""
            words = line.split(b" ")
            if not 2 <= len(words) <= 3 or not all(word.isdigit() and len(word) < 19 for word in words):
                raise self.source.at_line(
                    f"expected latch {number}: its literal, its next state and perhaps its reset",
                    self.at + 1, line,
                )
            values = list(map(int, words))
            if max(values) > top:
                raise self.source.at_line(f"literal {max(values)} is beyond the variables announced",
                                          self.at + 1, line)
            latches.append(values[0])
            nexts.append(values[1])
            resets.append(_reset(self.source, values, self.at + 1, line))
            self.at += 1
        return latches, nexts, resets

    def _check_definitions(self, sections: list[tuple[str, list[int], int]]) -> None:
        """Every variable is defined at most once, by a positive literal."""
        everything = [literal for _, literals, _ in sections for literal in literals]
        different = set(everything)
        if len(different) == len(everything) and 0 not in different and not any(x & 1 for x in everything):
            return
        seen = bytearray(self.header.variables + 1)
        for what, literals, first_line in sections:
            for number, literal in enumerate(literals):
                line = first_line + number
                if literal & 1 or not literal:
                    raise self.source.at_line(f"{what} {number} is defined as literal {literal}, "
                                              "which is not a variable", line, self.lines[line - 1])
                if seen[literal >> 1]:
                    raise self.source.at_line(f"literal {literal} is defined twice", line,
                                              self.lines[line - 1])
                seen[literal >> 1] = 1


class _Binary:
    def __init__(self, source: Source, header: Header) -> None:
        self.source = source
        self.header = header
        self.data = source.data
        self.at = source.data.find(b"\n") + 1  # offset of the next byte
        self.line = 2

    def read(self) -> AigerFile:
        header = self.header
        inputs = [2 * v for v in range(1, header.inputs + 1)]
        first = header.inputs + 1
        latches = [2 * v for v in range(first, first + header.latches)]
        nexts: list[int] = []
        resets: list[int] = []
        for latch in latches:
            words, line = self._numbers("latch", 2)
            nexts.append(words[0])
            resets.append(_reset(self.source, [latch, *words], self.line - 1, line))
        outputs = [self._numbers("output", 1)[0][0] for _ in range(header.outputs)]
        bad = [self._numbers("bad-state literal", 1)[0][0] for _ in range(header.bad)]
        constraints = [self._numbers("constraint", 1)[0][0] for _ in range(header.constraints)]
        first += header.latches
        gates = [2 * v for v in range(first, first + header.ands)]
        left, right = self._gates(gates)
        file = AigerFile(header, inputs, latches, nexts, resets, outputs, bad, constraints,
                         gates, left, right)
        rest = self.data[self.at :]
        read_symbols(self.source, file, rest.split(b"\n"), None, self.at)
        return file

    def _numbers(self, what: str, most: int) -> tuple[list[int], bytes]:
        end = self.data.find(b"\n", self.at)
        line = self.data[self.at : end if end >= 0 else self.at + 40]
        words = line.split(b" ")
        if end < 0 or not 1 <= len(words) <= most or not all(w.isdigit() and len(w) < 19 for w in words):
            raise self.source.at_line(f"expected a line of section {what}", self.line, line[:80])
        numbers = [int(word) for word in words]
        if max(numbers) > 2 * self.header.variables + 1:
            raise self.source.at_line(f"literal {max(numbers)} is beyond the variables announced",
                                      self.line, line)
        self.at = end + 1
        self.line += 1
        return numbers, line

    def _gates(self, gates: Sequence[int]) -> tuple[list[int], list[int]]:
        """Each gate is two differences: to its first argument, and from that to the second."""
        data, at, size = self.data, self.at, len(self.data)
        left: list[int] = []
        right: list[int] = []
        for gate in gates:
            last = gate
            for side in (left, right):
                delta = shift = 0
                while True:
                    if at >= size:
                        raise self.source.at_byte(f"the file ends within and-gate {gate}", at)
                    byte = data[at]
                    at += 1
                    delta |= (byte & 127) << shift
                    if byte < 128:
                        break
                    shift += 7
                    if shift > 35:
                        raise self.source.at_byte(f"a difference in and-gate {gate} is too large", at - 1)
                if delta > last or (side is left and not delta):
                    raise self.source.at_byte(f"and-gate {gate} refers to itself or a later literal", at - 1)
                last -= delta
                side.append(last)
        self.at = at
        return left, right


def _reset(source: Source, values: Sequence[int], line: int, text: bytes) -> int:
    if len(values) == 2:
        return 0
    if values[2] in (0, 1):
        return values[2]
    if values[2] == values[0]:
        return ANY
    raise source.at_line("a latch's reset must be 0, 1 or the latch itself", line, text)


def read_symbols(
    source: Source, file: AigerFile, lines: Sequence[bytes], first_line: int | None, offset: int = 0
) -> None:
    """The symbol table: ``i0 name`` and the like, up to a comment or the end."""
    header = file.header
    counts = {"i": header.inputs, "l": header.latches, "o": header.outputs, "b": header.bad,
              "c": header.constraints}
    for number, line in enumerate(lines):
        if line == b"c" or (not line and number == len(lines) - 1):
            return
        key, space, name = line.partition(b" ")
        kind, index = key[:1].decode("latin-1"), key[1:]
        if not (space and index.isdigit() and len(index) < 10 and int(index) < counts.get(kind, 0)):
            message = "expected a symbol (i0 name), a comment (c) or the end of the file"
            if first_line is None:
                raise source.at_byte(message, offset + sum(len(before) + 1 for before in lines[:number]))
            raise source.at_line(message, first_line + number, line[:200])
        file.symbols[f"{kind}{int(index)}"] = name.decode("utf-8", "replace")
