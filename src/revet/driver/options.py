"""Engine options from text: ``-O key=value`` becomes a field of the engine's ``Options``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.engines.common.options import hints_of
from revet.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from revet.engines.registry import EngineInfo


_THETA = {
    "not-b-opt": {"relative": ("false", "true")},
    "un-sat-opt": {"cores": ("false", "true")},
    "propagate-opt": {"propagation": ("false", "true")},
    "filter-opt": {"lift": ("none", "core"), "lifting": ("none", "components")},
}
"""The switches of THETA's IC3, by the names of its command line: ours, and what off and on are there."""


def parse_options(info: EngineInfo, given: Mapping[str, str]) -> Any:
    """The engine's options with the given texts parsed by the fields' types; THETA's names are understood
    where the engine has such a switch."""
    cls = info.load().Options
    if not given:
        return cls()
    import dataclasses

    hints = hints_of(cls)
    fields = {field.name.replace("_", "-"): field.name for field in dataclasses.fields(cls)}
    values = {}
    for key, text in given.items():
        what = f"option {key} of engine {info.name}"
        ours = next((name for name in _THETA.get(key, ()) if name in fields), None)
        if ours is not None:
            text = _THETA[key][ours][_parse(text, bool, what)]
        name = fields.get(ours or key.replace("_", "-"))
        if name is None:
            raise UsageError(f"engine {info.name} has no option {key}; {did_you_mean(key, fields)}")
        values[name] = _parse(text, hints[name], what)
    return cls(**values)


def _parse(text: str, hint: Any, what: str) -> Any:
    import types
    import typing

    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        choices = typing.get_args(hint)
        if type(None) in choices and text in ("none", ""):
            return None
        return _parse(text, next(c for c in choices if c is not type(None)), what)
    if origin is typing.Literal:
        allowed = typing.get_args(hint)
        if text not in allowed:
            raise UsageError(f"{what}: {text!r} is not one of {', '.join(map(str, allowed))}")
        return text
    if hint is bool:
        truth = {"true": True, "yes": True, "on": True, "1": True,
                 "false": False, "no": False, "off": False, "0": False}
        if text.lower() not in truth:
            raise UsageError(f"{what}: {text!r} is not one of true, false")
        return truth[text.lower()]
    if hint in (int, float):
        try:
            return hint(text)
        except ValueError:
            raise UsageError(f"{what}: {text!r} is not a number") from None
    if origin is tuple:
        return tuple(part.strip() for part in text.split(",") if part.strip())
    return text


def option_names(info: EngineInfo) -> frozenset[str]:
    """The names of the engine's options, as on the command line."""
    import dataclasses

    return frozenset(field.name.replace("_", "-") for field in dataclasses.fields(info.load().Options))


def describe_options(info: EngineInfo) -> list[tuple[str, str, str]]:
    """(name, default, type) of every option, for help texts."""
    import dataclasses
    import typing

    cls = info.load().Options
    hints = hints_of(cls)
    rows = []
    for field in dataclasses.fields(cls):
        hint = hints[field.name]
        if typing.get_origin(hint) is typing.Literal:
            kind = " | ".join(map(str, typing.get_args(hint)))
        else:
            kind = getattr(hint, "__name__", str(hint))
        rows.append((field.name.replace("_", "-"), str(field.default), kind))
    return rows
