"""What an AIGER file says, before it is given a meaning: header, sections, symbols."""

from __future__ import annotations

from dataclasses import dataclass, field

from revet.errors import InputError, Unsupported

LARGEST = 10_000_000
"""Variables; a header that asks for more is taken for corrupt."""


@dataclass(frozen=True)
class Header:
    """``M I L O A B C`` of the first line; justice and fairness are not supported."""

    binary: bool
    variables: int
    inputs: int
    latches: int
    outputs: int
    ands: int
    bad: int
    constraints: int


@dataclass(frozen=True, eq=False)
class AigerFile:
    """The sections as the file has them: variables numbered by the file, literals unchecked only
    in that cycles are not yet excluded. Gates have their line (ASCII) for error messages."""

    header: Header
    inputs: list[int]
    latches: list[int]
    next: list[int]
    reset: list[int]
    outputs: list[int]
    bad: list[int]
    constraints: list[int]
    gates: list[int]
    left: list[int]
    right: list[int]
    first_gate_line: int | None = None
    symbols: dict[str, str] = field(default_factory=dict)


class Source:
    """The bytes, and errors that say where in them something is wrong."""

    def __init__(self, path: str, data: bytes) -> None:
        self.path = path
        self.data = data

    def at_line(self, message: str, line: int, text: bytes = b"") -> InputError:
        from revet.errors import Position  # loads far more than reading a circuit does

        shown = text.decode("latin-1") if text else None
        return InputError(message, Position(self.path, line, 1), shown)

    def at_byte(self, message: str, offset: int) -> InputError:
        return InputError(f"{self.path}: byte {offset}: {message}")


def read_header(source: Source) -> Header:
    """Check the first line: numbers that fit each other and the length of the file."""
    line = source.data[:400].split(b"\n", 1)[0]
    words = line.split()
    if not words or words[0] not in (b"aag", b"aig"):
        raise source.at_line("not an AIGER file: the first word must be aag or aig", 1, line[:80])
    if not 6 <= len(words) <= 10 or not all(word.isdigit() and len(word) < 19 for word in words[1:]):
        raise source.at_line("the header must be: aag|aig M I L O A [B C J F]", 1, line[:80])
    numbers = [int(word) for word in words[1:]] + [0] * (10 - len(words))
    m, i, latches, o, a, b, c, j, f = numbers
    if j or f:
        from revet.errors import Position

        raise Unsupported("justice and fairness properties are not supported", Position(source.path, 1, 1),
                          line.decode("latin-1"))
    binary = words[0] == b"aig"
    if m > LARGEST or max(numbers) > LARGEST:
        raise source.at_line(f"the header announces more than {LARGEST} variables", 1, line)
    if (m < i + latches + a) or (binary and m != i + latches + a):
        raise source.at_line(f"M is {m}, but there are {i + latches + a} inputs, latches and gates", 1, line)
    least = 2 * (latches + o + b + c) + (2 * a if binary else 2 * i + 6 * a)
    if least > len(source.data):
        raise source.at_line("the file is shorter than its header announces", 1, line)
    return Header(binary, m, i, latches, o, a, b, c)
