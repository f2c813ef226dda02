"""One entry of the cache as bytes.

``REVET2`` and the SHA-256 digest of the rest, then a msgpack record. A digest that does not fit means
damage; it is no protection against forgery and need not be: the evidence is checked anyway.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

_MAGIC = b"REVET2"
_HEAD = len(_MAGIC) + 32


class Damaged(Exception):
    """The file is not an entry that this version wrote."""


class Entry(msgspec.Struct, frozen=True):
    """``verdict`` is serialised with the model that has the ``shape``.

    ``draws`` are the values that a run drew, each with its variable's name; ``check_seconds`` is how
    long the evidence took to check, ``seconds`` how long ``engine`` took to find it.
    """

    verdict: bytes
    shape: dict[str, Any]
    draws: list[tuple[str, Any]]
    engine: str
    seconds: float
    check_seconds: float


def read_entry(path: Path) -> Entry | None:
    """The entry, or None if there is none; raises :class:`Damaged`."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Damaged(error.strerror or str(error)) from None
    body = data[_HEAD:]
    if data[:_HEAD] != _MAGIC + hashlib.sha256(body).digest():
        raise Damaged("its digest does not fit")
    try:
        return msgspec.msgpack.decode(body, type=Entry)
    except msgspec.DecodeError as error:
        raise Damaged(str(error)) from None


def write_entry(path: Path, entry: Entry) -> None:
    """In one piece: a reader sees the old entry or the new one. Raises OSError."""
    body = msgspec.msgpack.encode(entry)
    new = path.with_name(f".{os.getpid()}-{path.name}")
    try:
        new.write_bytes(_MAGIC + hashlib.sha256(body).digest() + body)
        new.replace(path)
    except BaseException:
        with suppress(OSError):
            new.unlink()
        raise
