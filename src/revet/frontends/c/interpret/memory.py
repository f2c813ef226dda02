"""Memory as C sees it: objects made of bytes, and addresses that lead into them.

Every variable, string literal, function and allocation is a :class:`MemoryObject` with bytes of
its own; pointers are plain addresses. An object gets its address when somebody asks for it, so
that locals whose address is never taken stay cheap. Addresses are handed out page by page with much
unmapped space after each object, and are never used twice: running over the end of an object or
following a dangling pointer hits an unmapped address and is reported. Some memory belongs to nobody
in the program: pointers that functions without a body return may lead there.

Some bytes have marks, because a compiled program and the model may disagree about them: those that were
never written, padding, those of stored addresses and of NaNs. What bytes that were never written hold may be
chosen when they are first read (``contents``): only then it is known as what they are read. Marks go where
bytes are copied. Reading an address as an address is harmless; who reads its bytes as anything else (see
:meth:`revet.frontends.c.interpret.machine.Machine.judge`) sees where the machine puts things.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from revet.errors import Position
from revet.frontends.c.types import Array, CType, Pointer, Record, has_known_size, size_of

_FIRST_PAGE_ADDRESS = 1 << 16  # everything below is unmapped: null pointers with small offsets

_OUTSIDE_OBJECTS, _OUTSIDE_STEP = 256, 1024
OUTSIDE_SIZE = _OUTSIDE_OBJECTS * _OUTSIDE_STEP

Contents = Callable[[int, CType | None, int], bytes | None]
"""What memory that was never written holds, at an offset, read as a type (None: as plain bytes), so
many bytes of it. None: zeros."""

UNWRITTEN, CHOSEN = 1, 2  # not even read, or read and since then what they are
PARTLY, PADDING = 3, 4  # of some bits only it is known that they were written; between members
_ADDRESS, _REST = 5, 6  # the first byte of an address, and the others
NO_NUMBER = 7  # of a NaN, whose sign and further bits are the processor's choice


def address_marks(size: int) -> bytes:
    """The marks of an address of so many bytes, whole."""
    return bytes((_ADDRESS, *(size - 1) * (_REST,)))


def is_address(value: int) -> bool:
    """Is this pointer more than null or a small number?"""
    return value >= _FIRST_PAGE_ADDRESS


class Marked(bytes):
    """The bytes of a record or array as a value, with their marks."""

    marks: bytes

    @classmethod
    def of(cls, data: bytes, marks: bytes) -> Marked:
        found = cls(data)
        found.marks = marks
        return found


@lru_cache(maxsize=1024)
def padding(type: CType) -> bytes | None:
    """Marks for what lies between the members of an object of this type; None if nothing does."""
    if isinstance(type, Array):
        inside = padding(type.element)
        return None if inside is None or type.count is None else inside * type.count
    if not isinstance(type, Record) or type.union:
        return None
    marks = bytearray((PADDING,)) * size_of(type)
    for member in type.fields:
        if member.width is not None:
            first, last = member.offset // 8, (member.offset + member.width + 7) // 8
            marks[first:last] = bytes(last - first)
        else:
            first, size = member.offset // 8, size_of(member.type)
            marks[first : first + size] = padding(member.type) or bytes(size)
    return bytes(marks) if any(marks) else None


class InvalidAccess(Exception):
    """An address that leads into no living object, or over its end."""


class SizeUnknown(Exception):
    """An object is accessed that is defined elsewhere, and nobody says how large it is."""


class OutOfMemory(Exception):
    """The interpreter's limit on bytes or addresses was reached."""


@dataclass(eq=False, slots=True)
class MemoryObject:
    """``type`` is None for allocations; ``kind`` is variable, string, heap or function; ``made`` and
    ``ended`` are where an allocation was made and freed; ``initial``: what the bytes were when first
    read, of an object that has any contents on purpose; ``alignment``: what a declaration asks for."""

    name: str
    data: bytearray
    kind: str
    type: CType | None = None
    marks: bytearray | None = None
    address: int = 0
    alive: bool = True
    constant: bool = False
    contents: Contents | None = None
    made: Position | None = None
    ended: Position | None = None
    initial: bytearray | None = None
    alignment: int | None = None
    _first: int = 0  # no byte before this one is unwritten
    _lasting: bool = False  # are there other marks than those of unwritten bytes?

    def __str__(self) -> str:
        made = f", allocated at {self.made}" if self.made is not None else ""
        return f"{self.name} ({self.size} bytes{made})"

    @property
    def size(self) -> int:
        return len(self.data)

    def written(self, offset: int, size: int) -> None:
        """Forget what was known of these bytes; once all are written, stop tracking."""
        assert self.marks is not None
        self.marks[offset : offset + size] = bytes(size)
        if self._lasting:
            return
        # Arrays are filled from below: looking from the beginning at every write would be quadratic.
        self._first = self.marks.find(UNWRITTEN, self._first)
        if self._first < 0:
            self.marks = None

    def partly_written(self, offset: int, size: int) -> None:
        """Some bits of these bytes were written."""
        assert self.marks is not None
        unknown = self.marks[offset : offset + size]
        self.mark(offset, unknown.replace(bytes((UNWRITTEN,)), bytes((PARTLY,))))

    def address_written(self, offset: int, size: int, value: int) -> None:
        """An address was written; of a variable whose own address nobody knows, nobody sees the bytes."""
        if is_address(value) and (self.address or not isinstance(self.type, Pointer)):
            self.mark(offset, address_marks(size))
        elif self.marks is not None:
            self.written(offset, size)

    def choose(self, offset: int, type: CType | None, size: int) -> None:
        """Bytes are about to be read that may never have been written: let them be something."""
        marks, contents = self.marks, self.contents
        given = self.initial is not None
        if marks is None or marks.find(UNWRITTEN, offset, offset + size) < 0:
            return
        chosen = contents(offset, type, size) if contents is not None else None
        if chosen is None and given:
            chosen = bytes(self.data[offset : offset + size])
        for place, byte in enumerate((chosen or b"")[:size], offset):
            if marks[place] == UNWRITTEN:
                marks[place], self.data[place] = 0 if given else CHOSEN, byte
                if self.initial is not None:
                    self.initial[place] = byte

    def mark(self, offset: int, marks: bytes | bytearray) -> None:
        """Bytes were written here that have these marks where they come from."""
        if self.marks is None:
            self.marks = bytearray(self.size)
        self.marks[offset : offset + len(marks)] = marks
        self._first, self._lasting = 0, self._lasting or max(marks, default=0) > CHOSEN

    def cuts(self, offset: int, size: int) -> bool:
        """Does a range of bytes begin or end inside a stored address?"""
        marks, end = self.marks, offset + size
        return marks is not None and _REST in marks[offset : offset + 1] + marks[end : end + 1]


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
    blocks: dict[MemoryObject, None] = field(default_factory=dict)  # allocated and not freed
    _pages: dict[int, MemoryObject] = field(default_factory=dict)
    _gone: dict[int, MemoryObject] = field(default_factory=dict)
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
        unwritten = None if written or size == 0 else bytearray((UNWRITTEN,)) * size
        made = MemoryObject(name, bytearray(size), kind, type, unwritten)
        between = padding(type) if written and isinstance(type, Record | Array) else None
        if between is not None:
            made.mark(0, between[:size])
        return made

    def begin_again(self, target: MemoryObject, *, written: bool) -> None:
        """The declaration of a living variable is reached again: its value is any, or about to be written. A
        scalar keeps its value until then, which its initialiser may read."""
        if written and not isinstance(target.type, Record | Array):
            return
        like = self.allocate(target.name, target.size, target.kind, target.type, written=written)
        self.used -= target.size
        target.data[:] = like.data
        target.marks, target.contents, target.initial = like.marks, None, None
        target._first, target._lasting = like._first, like._lasting

    def address_of(self, target: MemoryObject) -> int:
        """The object's address, given to it now if it has none yet."""
        if target.address == 0:
            first = self._next_page
            count = (max(target.size, 1) + (1 << self._shift) - 1) >> self._shift
            self._next_page = first + count + self._gap(first)
            if self._next_page << self._shift >= _outside(self.pointer_size):
                raise OutOfMemory("no addresses left")
            for page in range(first, first + count):
                self._pages[page] = target
            target.address = first << self._shift
            if isinstance(target.type, Pointer) and target.marks is None and any(target.data):
                target.mark(0, address_marks(target.size))
        return target.address

    def _gap(self, page: int) -> int:
        """Unmapped pages after an object: as many as there is room for."""
        if self.pointer_size == 8:
            return 1 << (36 - self._shift)
        return 1 << (20 - self._shift) if page << self._shift < 1 << 30 else 1

    def locate(self, address: int, size: int) -> tuple[MemoryObject, int]:
        """The object and offset of ``size`` bytes at an address."""
        target = self._pages.get(address >> self._shift) or self._find_outside(address)
        if target is None:
            raise InvalidAccess(self._nothing_at(address))
        offset = address - target.address
        if offset + size > len(target.data):
            if not target.data and target.type is not None and not has_known_size(target.type):
                raise SizeUnknown(f"how large {target.name} is, which is defined elsewhere, is not known")
            raise InvalidAccess(f"{size} bytes at offset {offset} of {target}")
        return target, offset

    def _nothing_at(self, address: int) -> str:
        gone = self._gone.get(address >> self._shift)
        if gone is not None:
            return f"a pointer to {gone}, which is gone{f' since {gone.ended}' if gone.ended else ''}"
        what = "a null pointer" if address < _FIRST_PAGE_ADDRESS else "an invalid pointer"
        return f"{what} (address {address:#x})"

    def described(self, address: int) -> str:
        """What a pointer leads to, in words."""
        target = self._pages.get(address >> self._shift)
        if target is None:
            return self._nothing_at(address)
        offset = address - target.address
        return f"offset {offset} of {target}" if offset else f"{target}, which was not allocated"

    def reachable(self, roots: Iterable[MemoryObject]) -> set[MemoryObject]:
        """All objects that bytes of these lead to, and so on; any bytes that look like an address count."""
        found, stack = set(roots), list(roots)
        while stack:
            data = stack.pop().data
            for start in range(len(data) - self.pointer_size + 1):
                address = int.from_bytes(data[start : start + self.pointer_size], "little")
                target = self._pages.get(address >> self._shift)
                if target is not None and target not in found:
                    found.add(target)
                    stack.append(target)
        return found

    def moves_into_another(self, old: int, new: int) -> bool:
        """Does a pointer into (or just behind) one object become one into another?"""
        if old >> self._shift == new >> self._shift:
            return False
        one, other = self.owner(old), self._pages.get(new >> self._shift)
        return one is not None and other is not None and one is not other

    def _find_outside(self, address: int) -> MemoryObject | None:
        start = _outside(self.pointer_size)
        if not start <= address < start + OUTSIDE_SIZE:
            return None
        if self._outside is None:
            self._outside = self.allocate("outside", OUTSIDE_SIZE, "heap", written=False)
            self._outside.address = start
            self._outside.contents = self.outside_contents
        return self._outside

    def is_outside(self, target: MemoryObject) -> bool:
        """Is this the memory that belongs to nobody in the program?"""
        return target is self._outside

    def owner(self, address: int) -> MemoryObject | None:
        """The living object that a pointer leads into, or just behind."""
        pages, shift = self._pages, self._shift
        return pages.get(address >> shift) or pages.get((address - 1) >> shift) or self._find_outside(address)

    def find(self, address: int) -> MemoryObject | None:
        """The living object that starts at this address."""
        target = self._pages.get(address >> self._shift)
        return target if target is not None and target.address == address else None

    def release(self, target: MemoryObject, at: Position | None = None) -> None:
        """End an object's life, at a place if it was ended there; its address stays unmapped for ever."""
        target.alive = False
        target.ended = at
        self.blocks.pop(target, None)
        self.used -= target.size
        if target.address:
            first = target.address >> self._shift
            count = (max(target.size, 1) + (1 << self._shift) - 1) >> self._shift
            for page in range(first, first + count):
                self._gone[page] = self._pages.pop(page)
