"""As which types a class of memory is read and written, and whether each byte is always the same scalar's.

A pointer that was never cast points to an object of its type. So a class is *plain* unless one of these
lets an access disagree with what is stored: casts between pointers to types that do not begin alike (or
that do, where the pointer is then moved beyond the part that both have; what ``malloc`` returns has no type
before it is cast, and ``free`` does not look), unions used through members of several types, bit-fields next
to casts, and block operations that may cut a scalar. Everything that is not on this list of harmless cases
counts as a disagreement (:func:`is_confused`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from math import gcd

from revet.frontends.c.analysis.classes import Node, kind_of, kind_size
from revet.frontends.c.analysis.lvalues import element_of
from revet.frontends.c.types import Array, CType, Function, Int, Pointer, Record, Void, size_of

CHARACTER = Int(8, True, name="char")

_POINTER = Pointer(Void(), 8)

IsMixed = Callable[[Record], bool]
"""Is a union used through members of different types?"""


def is_confused(node: Node, objects: Iterable[CType], is_mixed: IsMixed) -> bool:
    """May a byte of the class be accessed as parts of different scalars? ``objects`` are the types of
    the variables in it that pointers reach."""
    if any(is_mixed(record) for record in node.unions):
        return True
    if node.partial and any(kind_size(kind) != 1 for kind in node.kinds):
        return True
    if node.filled and any(name != "int" for name, _ in node.kinds):
        return True
    if node.bit_fields and (node.copied or node.zeroed):
        return True
    if node.loose and _is_moved(CHARACTER, node):
        return True
    if not node.casts or not (node.retyped or node.unknown):
        return False
    declared = list(objects)
    used = [type for type in node.casts if type in node.pointed_types or _is_moved(type, node)]
    types = list(dict.fromkeys([*used, *declared]))
    one_kind = len(node.kinds) < 2 and not node.bit_fields and _is_regular(node, types)
    if one_kind and all(_consists_of(type, node) for type in declared):
        return False
    return any(not _compatible(one, other, node) for one, other in combinations(types, 2))


def shows_pointers(node: Node, objects: Iterable[CType], is_mixed: IsMixed) -> bool:
    """May bytes of a pointer in the class be accessed as something else, or be copied by halves?"""
    if not is_confused(node, objects, is_mixed):
        return False
    if any(is_mixed(record) and _contains(record, _POINTER) for record in node.unions):
        return True
    return node.partial or node.filled or node.loose or bool(node.casts)


def mixes_pointers(node: Node) -> bool:
    """Are pointers of the class accessed as pointers to different types, though all are pointers?"""
    pointed = {type.target for type in map(element_of, node.casts) if isinstance(type, Pointer)}
    return len({target for target in pointed if not isinstance(target, Function)}) > 1


def _is_regular(node: Node, types: list[CType]) -> bool:
    """Are all scalars that are accessed at multiples of their one size, and all of them truth values, or
    none?"""
    found = [
        (scalar, offset, type)
        for type in types for offset, scalar in scalars(type) if kind_of(scalar) in node.kinds
    ]
    if any(_is_bool_pair(found[0][0], scalar) for scalar, _, _ in found):
        return False
    accessed = [(offset, size_of(scalar), size_of(type)) for scalar, offset, type in found]
    return all(offset % size == 0 and whole % size == 0 for offset, size, whole in accessed)


def _consists_of(type: CType, node: Node) -> bool:
    """Is every byte of a variable of this type part of a scalar that is accessed as what it is? Others, and
    padding, have contents from the start that an access of the one kind would miss."""
    if isinstance(type, Array):
        return _consists_of(type.element, node)
    if isinstance(type, Record):
        sizes = [size_of(field.type) for field in type.fields if field.width is None]
        filled = max(sizes, default=0) if type.union else sum(sizes)
        return filled == size_of(type) and all(_consists_of(field.type, node) for field in type.fields)
    return not isinstance(type, Void | Function) and kind_of(type) in node.kinds


def granularity(types: Iterable[CType]) -> int:
    """The largest number of bytes of which the sizes and offsets of all scalars are multiples; at most 8."""
    step = 8
    for type in types:
        if isinstance(type, Void | Function):
            continue
        step = gcd(step, size_of(type) or 8)
        for offset, scalar in scalars(type):
            step = gcd(step, offset, size_of(scalar))
    return step


def scalars(type: CType) -> Iterator[tuple[int, CType]]:
    """Scalars with their offsets in bytes; of an array, those of its first element stand for all.
    A bit-field counts as the byte it begins in."""
    stack = [(0, type)]
    while stack:
        offset, current = stack.pop()
        if isinstance(current, Array):
            stack.append((offset, current.element))
        elif isinstance(current, Record):
            for field in current.fields:
                inner = field.type if field.width is None else Int(8, False)
                stack.append((offset + field.offset // 8, inner))
        elif not isinstance(current, Void | Function):
            yield offset, current


def _compatible(one: CType, other: CType, node: Node) -> bool:
    """Do pointers to these types, made from each other, read the same scalars in the same places?

    Types are compared by their leading members: a pointer to a structure may stand for one to its first
    member, as long as nobody moves that one, and an array for its first element.
    """
    return _leads_to(one, other, node) or _leads_to(other, one, node)


def _leads_to(whole: CType, part: CType, node: Node) -> bool:
    several = isinstance(part, Array) and part.count != 1
    array, part = part, element_of(part)
    current = whole
    inside = False  # a structure: what is behind the part is something else
    while True:
        if current == array and not _is_moved(part, node):
            return True
        if isinstance(current, Array):
            current = current.element
            continue
        if current == part or same_scalar(current, part):
            return not inside or not (several or _is_moved(part, node))
        if isinstance(current, Record) and not current.union and current.fields:
            first = current.fields[0]
            if first.width is not None or first.offset:
                return False
            current, inside = first.type, True
            continue
        return False


def _is_moved(type: CType, node: Node) -> bool:
    type = element_of(type)
    return node.computed or any(moved == type or same_scalar(moved, type) for moved in node.moved)


def same_scalar(one: CType, other: CType) -> bool:
    if any(isinstance(type, Record | Void | Function | Array) for type in (one, other)):
        return False
    if isinstance(one, Pointer) or isinstance(other, Pointer):
        return isinstance(one, Pointer) and isinstance(other, Pointer)
    return kind_of(one) == kind_of(other) and not _is_bool_pair(one, other)


def _is_bool_pair(one: CType, other: CType) -> bool:
    return isinstance(one, Int) and isinstance(other, Int) and one.boolean != other.boolean


# ---- what an unknown pointer may lead to ----------------------------------------------------------


def may_share(one: Iterable[CType], other: Iterable[CType]) -> bool:
    """May an object that is accessed as the first types be one that is accessed as the others? C lets an
    object be accessed as its own type, as a part or a whole of it, or as characters."""
    first, second = set(map(element_of, one)), set(map(element_of, other))
    return any(_contains(a, b) or _contains(b, a) for a in first for b in second)


def _contains(whole: CType, part: CType) -> bool:
    if isinstance(part, Int) and part.bits == 8:
        return True
    seen: set[CType] = set()
    stack = [whole]
    while stack:
        current = element_of(stack.pop())
        if current == part or same_scalar(current, part):
            return True
        if isinstance(current, Record) and current not in seen:
            seen.add(current)
            stack += [field.type for field in current.fields]
    return False
