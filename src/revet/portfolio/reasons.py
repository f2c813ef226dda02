"""Why no configuration answered, in one text."""

from __future__ import annotations

LATE = "time is up"


def reasons(outcomes: dict[str, str]) -> str:
    """Why nobody answered, the most telling first: what was found and not confirmed, who had no more time,
    and last whom the program does not suit."""
    said: dict[str, list[str]] = {}
    for name, text in outcomes.items():
        said.setdefault(text, []).append(name)
    late = said.pop(LATE, [])
    parts = [f"{', '.join(names)}: {text}" for text, names in said.items()]
    found = [part for part in parts if "counterexample" in part or "evidence" in part]
    rest = [part for part in parts if part not in found]
    return "; ".join([*found, *([f"{LATE} ({', '.join(late)})"] if late else []), *rest])
