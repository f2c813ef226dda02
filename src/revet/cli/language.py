"""Options of input languages that several commands have."""

from __future__ import annotations


def data_model(ilp32: bool | None) -> dict[str, str]:
    """``--32``, ``--64`` or neither: then the task definition or the witness decides, else ILP32."""
    return {} if ilp32 is None else {"data_model": "ilp32" if ilp32 else "lp64"}
