"""Past-time linear temporal logic: what has been true so far. One bit of memory an operator."""

from __future__ import annotations

from typing import Any

from revet.streams.language import boolean, recursive
from revet.streams.stream import Stream
from revet.streams.types import Bool


def previous(s: Any) -> Stream:
    """s held at the last instant (at the first: no)."""
    return [False] @ boolean(s, "the argument of previous")


def always_been(s: Any) -> Stream:
    """s has held at every instant so far, this one included."""
    held = boolean(s, "the argument of always_been")
    return recursive(Bool, lambda r: held & ([True] @ r), "always_been")


def eventually_prev(s: Any) -> Stream:
    """s has held at some instant so far, this one included."""
    held = boolean(s, "the argument of eventually_prev")
    return recursive(Bool, lambda r: held | ([False] @ r), "eventually_prev")


def since(left: Any, right: Any) -> Stream:
    """``right`` has held at some instant, and ``left`` at every one after it."""
    keeps, starts = boolean(left, "the left side of since"), boolean(right, "the right side of since")
    return recursive(
        Bool, lambda r: starts | (keeps & ([False] @ r)), "since"
    )
