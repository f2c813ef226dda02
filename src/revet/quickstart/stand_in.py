"""Modules in the place of others until somebody needs the real ones."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType


class StandIn(ModuleType):
    """A module that has some names and loads the module that it stands for to find others. One that
    ``stays`` is also found by those who import it afterwards."""

    def __init__(self, name: str, known: dict[str, object], stays: bool) -> None:
        super().__init__(name)
        self.__dict__.update(known)
        self.stays_ = stays
        self.meant_: ModuleType | None = None

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):  # what the import system asks every module
            raise AttributeError(name)
        return getattr(real(self.__name__), name)


def real(name: str) -> ModuleType:
    """The module itself; from now on whoever imports it gets it, unless the stand-in stays."""
    found = sys.modules.get(name)
    if not isinstance(found, StandIn):
        return import_module(name)
    if found.meant_ is None:
        del sys.modules[name]
        found.meant_ = import_module(name)
        if found.stays_:
            sys.modules[name] = found
    return found.meant_


def install() -> None:
    """For modules that are not loaded yet."""
    _install("typing", {"TYPE_CHECKING": False})
    from revet.quickstart.records import dataclass, field, replace  # they need no more of typing

    _install("dataclasses", {"dataclass": dataclass, "field": field, "replace": replace}, True)
    below = vars(import_module("_signal"))  # signal without its enumerations
    _install("signal", {name: value for name, value in below.items() if not name.startswith("_")})


def _install(name: str, known: dict[str, object], stays: bool = False) -> None:
    if name not in sys.modules:
        sys.modules[name] = StandIn(name, known, stays)
