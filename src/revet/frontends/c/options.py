"""Options of the C front end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from revet.errors import UsageError
from revet.frontends.c.types import DATA_MODELS, DataModel

_CHOICES = {
    "data_model": tuple(DATA_MODELS),
    "arithmetic": ("auto", "int", "bv"),
    "property": ("unreach-call", "no-overflow"),
    "overflow": ("assume", "wrap"),
}


@dataclass(frozen=True)
class Options:
    data_model: str = "ilp32"
    """sizes of int, long and pointers: ilp32 or lp64"""
    arithmetic: str = "auto"
    """integers as mathematical integers (int), bit-vectors (bv), or whichever fits (auto)"""
    property: str = "unreach-call"
    """unreach-call: no assertion fails; no-overflow: no signed operation overflows"""
    overflow: str = "assume"
    """with mathematical integers: assume that signed operations do not overflow, or wrap"""
    strict: bool = False
    """treat every assumption about missing function bodies and variables as an error"""
    recursion: int = 0
    """how many activations of a recursive function are inlined (deeper calls make it unknown);
    0: many for functions that call themselves once, few for those that branch"""
    entry: str = "main"
    """the function where execution starts"""

    def model(self) -> DataModel:
        return DATA_MODELS[self.data_model]

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> Options:
        """Pick the known options; reject values that do not exist. Others are not ours."""
        known = {field.name for field in fields(cls)}
        chosen = {name: value for name, value in values.items() if name in known and value is not None}
        if "property" in chosen:
            chosen["property"] = _property_name(str(chosen["property"]))
        for name, allowed in _CHOICES.items():
            value = chosen.get(name, allowed[0])
            if value not in allowed:
                raise UsageError(f"{name}: {value!r} is not one of {', '.join(allowed)}")
        return cls(**chosen)


def _property_name(value: str) -> str:
    """A property's name, also from the path of an SV-COMP ``.prp`` file."""
    if not value.endswith(".prp"):
        return value
    from pathlib import Path

    from revet.frontends.registry import read_text

    text = read_text(Path(value))
    if "overflow" in text:
        return "no-overflow"
    if "call(" in text:
        return "unreach-call"
    raise UsageError(f"{value}: Revet checks unreach-call and no-overflow, not: {text.strip()}")
