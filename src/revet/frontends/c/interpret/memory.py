"""Memory as C sees it: objects made of bytes, and addresses that lead into them.

Every variable, string literal, function and allocation is a :class:`MemoryObject` with bytes of
its own; pointers are plain addresses. An object gets its address when somebody asks for it, so
that locals whose address is never taken stay cheap. Addresses are handed out page by page with an
unmapped page after each object, and are never used twice: running over the end of an object or
following a dangling pointer hits an unmapped address and is reported. Some memory belongs to nobody
in the program: pointers that functions without a body return may lead there.

Bytes that were never written are remembered (``unwritten``), because a compiled program and the
model may disagree about them. What such bytes hold may be chosen when they are first read
(``contents``): only then it is known as what they are read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from revet.frontends.c.types import CType

_FIRST_PAGE_ADDRESS = 1 << 16  # everything below is unmapped: null pointers with small offsets

_OUTSIDE_OBJECTS, _OUTSIDE_STEP = 256, 1024
OUTSIDE_SIZE = _OUTSIDE_OBJECTS * _OUTSIDE_STEP

Contents = Callable[[int, CType | None, int], bytes | None]
"""What memory that was never written holds, at an offset, read as a type (None: as plain bytes), so
many bytes of it. None: zeros."""

_UNWRITTEN, _CHOSEN = 1, 2  # marks of bytes: not even read, or read and since then what they are


class InvalidAccess(Exception):
    """An address that leads into no living object, or over its end."""


class OutOfMemory(Exception):
    """The interpreter's limit on bytes or addresses was reached."""


@dataclass(eq=False, slots=True)
class MemoryObject:
    """``type`` is None for allocations; ``kind`` is variable, string, heap or function."""

    name: str
    data: bytearray
    kind: str
    type: CType | None = None
    unwritten: bytearray | None = None
    address: int = 0
    alive: bool = True
    constant: bool = False
    contents: Contents | None = None
    _first: int = 0  # no byte before this one is unwritten

    @property
    def size(self) -> int:
        return len(self.data)

    def written(self, offset: int, size: int) -> None:
        """Forget that these bytes were not written; once all are, stop tracking."""
        assert self.unwritten is not None
        self.unwritten[offset : offset + size] = bytes(size)
        # Arrays are filled from below: looking from the beginning at every write would be quadratic.
        self._first = self.unwritten.find(_UNWRITTEN, self._first)
        if self._first < 0:
            self.unwritten = None

    def choose(self, offset: int, type: CType | None, size: int) -> None:
        """Bytes are about to be read that may never have been written: let them be something."""
        marks = self.unwritten
        if marks is None or self.contents is None or marks.find(_UNWRITTEN, offset, offset + size) < 0:
            return
        chosen = self.contents(offset, type, size)
        if chosen is None:
            return
        for place, byte in enumerate(chosen[:size], offset):
            if marks[place] == _UNWRITTEN:
                marks[place], self.data[place] = _CHOSEN, byte

    def mark(self, offset: int, marks: bytes | bytearray) -> None:
        """Bytes were copied here; those with a mark are as unwritten as where they came from."""
        if self.unwritten is None:
            self.unwritten = bytearray(self.size)
        self.unwritten[offset : offset + len(marks)] = marks
        self._first = 0


def outside_place(offset: int) -> tuple[int, int]:
    """The number of a pointer that leads outside, and how far behind it an offset is."""
    return divmod(offset, _OUTSIDE_STEP)


def outside_offset(number: int) -> int | None:
    """Where in the memory outside the program the pointer with this number leads; None if nowhere.

    A pointer that is drawn may well lead to an object that the program did not make: numbers too
    small for an address of ours do, different ones to different objects as far as they go. Addresses
    that the program makes itself (a null pointer plus an offset) stay what they are: invalid."""
    if not 0 < number < _FIRST_PAGE_ADDRESS:
        return None
    return number % _OUTSIDE_OBJECTS * _OUTSIDE_STEP


def drawn_pointer(number: int, pointer_size: int) -> int:
    """The address of a pointer that is drawn: zero is null, small numbers lead outside."""
    offset = outside_offset(number)
    return number if offset is None else _outside(pointer_size) + offset


def _outside(pointer_size: int) -> int:
    """The end of the address space."""
    return (1 << (8 * pointer_size - 1)) - 2 * OUTSIDE_SIZE


@dataclass(eq=False, slots=True)
class Memory:
    """The address space of one run, at most ``limit`` bytes of objects."""

    pointer_size: int
    limit: int = 1 << 28
    used: int = 0
    outside_contents: Contents | None = None
    _pages: dict[int, MemoryObject] = field(default_factory=dict)
    _shift: int = 8
    _next_page: int = 0
    _outside: MemoryObject | None = None

    def __post_init__(self) -> None:
        self._shift = 8 if self.pointer_size == 4 else 12
        self._next_page = _FIRST_PAGE_ADDRESS >> self._shift

    def allocate(
        self, name: str, size: int, kind: str, type: CType | None = None, *, written: bool = True
    ) -> MemoryObject:
        """A new object of zero bytes; ``written=False`` marks them as never written."""
        self.used += size
        if self.used > self.limit:
            raise OutOfMemory(f"more than {self.limit >> 20} MB of objects")
        unwritten = None if written or size == 0 else bytearray(b"\1") * size
        return MemoryObject(name, bytearray(size), kind, type, unwritten)

    def address_of(self, target: MemoryObject) -> int:
        """The object's address, given to it now if it has none yet."""
        if target.address == 0:
            first = self._next_page
            count = (max(target.size, 1) + (1 << self._shift) - 1) >> self._shift
            self._next_page = first + count + 1
            if self._next_page << self._shift >= _outside(self.pointer_size):
                raise OutOfMemory("no addresses left")
            for page in range(first, first + count):
                self._pages[page] = target
            target.address = first << self._shift
        return target.address

    def locate(self, address: int, size: int) -> tuple[MemoryObject, int]:
        """The object and offset of ``size`` bytes at an address."""
        target = self._pages.get(address >> self._shift) or self._find_outside(address)
        if target is None:
            what = "a null pointer" if address < _FIRST_PAGE_ADDRESS else "an invalid pointer"
            raise InvalidAccess(f"{what} (address {address:#x})")
        offset = address - target.address
        if offset + size > len(target.data):
            raise InvalidAccess(f"{size} bytes at offset {offset} of {target.name} ({target.size} bytes)")
        return target, offset

    def _find_outside(self, address: int) -> MemoryObject | None:
        start = _outside(self.pointer_size)
        if not start <= address < start + OUTSIDE_SIZE:
            return None
        if self._outside is None:
            self._outside = self.allocate("outside", OUTSIDE_SIZE, "heap", written=False)
            self._outside.address = start
            self._outside.contents = self.outside_contents
        return self._outside

    def find(self, address: int) -> MemoryObject | None:
        """The living object that starts at this address."""
        target = self._pages.get(address >> self._shift)
        return target if target is not None and target.address == address else None

    def release(self, target: MemoryObject) -> None:
        """End an object's life; its address stays unmapped for ever."""
        target.alive = False
        self.used -= target.size
        if target.address:
            first = target.address >> self._shift
            count = (max(target.size, 1) + (1 << self._shift) - 1) >> self._shift
            for page in range(first, first + count):
                del self._pages[page]
