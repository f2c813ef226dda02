"""What every engine's ``Options`` checks about itself.

Call :func:`check_options` in ``__post_init__``: a value outside a ``Literal`` field's choices,
or a number below its ``least`` metadata, is refused with what would have been allowed.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Literal, get_args, get_origin, get_type_hints

from revet.errors import UsageError


def check_options(options: Any) -> None:
    """Raise :class:`UsageError` for the first field whose value is not allowed."""
    hints = get_type_hints(type(options))
    for field in fields(options):
        value, hint = getattr(options, field.name), hints[field.name]
        name = field.name.replace("_", "-")
        if get_origin(hint) is Literal:
            allowed = get_args(hint)
            if value not in allowed:
                raise UsageError(f"{name}: {value!r} is not one of {', '.join(map(str, allowed))}")
        elif hint is bool and not isinstance(value, bool):
            raise UsageError(f"{name}: {value!r} is not one of true, false")
        least = field.metadata.get("least")
        if least is not None and value is not None and value < least:
            raise UsageError(f"{name}: {value!r} is below {least}, the least value allowed")
