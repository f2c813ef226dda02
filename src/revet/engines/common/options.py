"""What every engine's ``Options`` checks about itself.

Call :func:`check_options` in ``__post_init__``: a value outside a ``Literal`` field's choices,
or a number below its ``least`` metadata, is refused with what would have been allowed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.errors import UsageError

if TYPE_CHECKING:
    from typing import Any


def hints_of(cls: type) -> dict[str, Any]:
    """The types of the options. Their modules need not import what only annotations name."""
    from sys import modules
    from typing import get_type_hints  # for this, a stand-in for typing gives way to the real module

    return get_type_hints(cls, localns=vars(modules["typing"]))


def check_options(options: Any) -> None:
    """Raise :class:`UsageError` for the first field whose value is not allowed."""
    cls = type(options)
    if all(getattr(options, name) is getattr(cls, name, cls) for name in cls.__match_args__):
        return  # the defaults: reading all the types takes longer than checking a small circuit
    from dataclasses import fields
    from typing import Literal, get_args, get_origin

    hints = hints_of(cls)
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
