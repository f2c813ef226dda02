"""Values of streams from a file: JSON (a list of objects, one an instant) or CSV (a line for a stream).

Numbers may be JSON numbers or texts (``"1/3"``, ``"0.5"``); records are objects, arrays lists, tuples objects
with the numbers of their parts or lists, an enumeration's value is its name.
"""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

from revet.errors import InputError
from revet.frontends.kit.text import read_text
from revet.frontends.lustre.interpret_operators import wrapped
from revet.frontends.lustre.types import BOOL, INT, REAL, ArrayOf, Enum, Machine, Record, TupleOf, Type, plain
from revet.frontends.lustre.values import shown
from revet.logic.values import rational


def read_rows(path: Path) -> list[dict[str, Any]]:
    """What the file gives at each instant, as it is written."""
    text = read_text(path)
    if path.suffix.lower() == ".csv":
        return _columns(path, [row for row in csv.reader(text.splitlines()) if row])
    try:
        rows = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"{path}: not JSON: {error}") from None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise InputError(f"{path}: expected a list of objects, one an instant")
    return rows


def _columns(path: Path, lines: list[list[str]]) -> list[dict[str, Any]]:
    """``name, value, value, …``: one line a stream."""
    if len({len(line) for line in lines}) > 1:
        raise InputError(f"{path}: the lines have different numbers of values")
    count = len(lines[0]) - 1 if lines else 0
    return [{line[0].strip(): line[n + 1].strip() for line in lines} for n in range(count)]


def value_of(type_: Type, raw: Any, where: str) -> Any:
    """A written value as one of the interpreter; raises :class:`InputError` that says where."""
    type_ = plain(type_)
    found = _scalar(type_, raw) if not isinstance(type_, (Record, TupleOf, ArrayOf)) else None
    if found is not None:
        return found
    match type_:
        case Record(fields=fields) if isinstance(raw, dict) and raw.keys() == {name for name, _ in fields}:
            return tuple(value_of(part, raw[name], f"{where}.{name}") for name, part in fields)
        case TupleOf(items=items):
            parts = [raw.get(str(k)) for k in range(len(items))] if isinstance(raw, dict) else raw
            if isinstance(parts, list) and len(parts) == len(items):
                pairs = enumerate(zip(items, parts, strict=True))
                return tuple(value_of(part, v, f"{where}[{k}]") for k, (part, v) in pairs)
        case ArrayOf(element=element) if isinstance(raw, list) and type_.length in (None, len(raw)):
            return tuple(value_of(element, v, f"{where}[{k}]") for k, v in enumerate(raw))
    raise InputError(f"{where}: {raw!r} is not a value of type {type_}")


def _scalar(type_: Type, raw: Any) -> Any:
    """The value, or None if this is not one."""
    text = str(raw).strip()
    if type_ == BOOL:
        return {"true": True, "false": False, "1": True, "0": False}.get(text.lower())
    if isinstance(type_, Enum):
        return type_.values.index(text) if text in type_.values else None
    if isinstance(raw, bool):
        return None
    try:
        numerator, _, denominator = text.partition("/")
        number = rational(numerator.strip()) / rational(denominator.strip() or "1")
    except (ValueError, ZeroDivisionError):
        return None
    if type_ == REAL:
        return number
    if number.denominator != 1:
        return None
    whole = int(number)
    if isinstance(type_, Machine):
        return whole if wrapped(whole, type_) == whole else None
    return whole if type_ == INT else None

def written(type_: Type, value: Any) -> Any:
    """A value of the interpreter as :func:`value_of` reads it; sets, maps and datatypes as their text."""
    type_ = plain(type_)
    match type_:
        case Record(fields=fields):
            return {name: written(part, v) for (name, part), v in zip(fields, value, strict=True)}
        case TupleOf(items=items):
            return [written(part, v) for part, v in zip(items, value, strict=True)]
        case ArrayOf(element=element):
            return [written(element, v) for v in value]
    if isinstance(value, (bool, int)) and not isinstance(type_, Enum):
        return value
    return shown(type_, value)
