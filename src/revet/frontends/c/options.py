"""Options of the C front end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from revet.errors import UsageError
from revet.frontends.c.property import CHECKED, ERROR_FUNCTIONS, named_property
from revet.frontends.c.types import DATA_MODELS, DataModel

_CHOICES = {
    "data_model": tuple(DATA_MODELS),
    "arithmetic": ("auto", "int", "bv"),
    "property": CHECKED,
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
    approximate: bool = False
    """expressions that are not modelled have any value, where that is sound; else they are errors"""
    recursion: int = 0
    """how many activations of a recursive function are inlined (deeper calls make it unknown);
    0: many for functions that call themselves once, few for those that branch"""
    entry: str = "main"
    """the function where execution starts, with any arguments"""
    errors: tuple[str, ...] = ERROR_FUNCTIONS
    """functions whose call is the error (a property file may name another one)"""

    def model(self) -> DataModel:
        return DATA_MODELS[self.data_model]

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> Options:
        """Pick the known options; reject values that do not exist. Others are not ours."""
        known = {field.name for field in fields(cls)}
        chosen = {name: value for name, value in values.items() if name in known and value is not None}
        if "property" in chosen:
            specified = _specified(str(chosen["property"]))
            chosen = {**specified, **chosen, "property": specified["property"]}
        for name, allowed in _CHOICES.items():
            value = chosen.get(name, allowed[0])
            if value not in allowed:
                raise UsageError(f"{name}: {value!r} is not one of {', '.join(allowed)}")
        if chosen.get("strict") and chosen.get("approximate"):
            raise UsageError("strict and approximate exclude each other")
        return cls(**chosen)


def _specified(value: str) -> dict[str, Any]:
    """What a property's name or a ``.prp`` file fixes."""
    if not value.endswith(".prp"):
        return {"property": value}
    found = named_property(value)
    chosen = next((one for one in found if one.name in CHECKED), None)
    if chosen is None:
        names = ", ".join(one.name for one in found)
        raise UsageError(f"{value}: Revet checks {' and '.join(CHECKED)}, not {names}")
    return {"property": chosen.name, "entry": chosen.entry, "errors": chosen.error_functions}
