"""Trigger functions that take notes of their calls: C for simulation and for verification.

At an instant a function may be called once by each trigger of its name. ``count_variable`` counts the
calls, ``leaf_variable`` is an array with the scalars of their arguments, and ``order_variable`` one with the
number of each call among the calls of all functions. Whoever reads them sets the counters back to 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.streams.c_operators import c_type
from revet.streams.c_types import parameter
from revet.streams.types import leaf_paths

if TYPE_CHECKING:
    from revet.streams.spec import Spec, Trigger

ALL_CALLS = "revet_calls"


def count_variable(name: str) -> str:
    return f"revet_count_{name}"


def leaf_variable(name: str, leaf: int) -> str:
    return f"revet_{leaf}_of_{name}"


def order_variable(name: str) -> str:
    return f"revet_order_{name}"


def recorder(spec: Spec) -> list[str]:
    """Definitions of all trigger functions and of their notes."""
    lines = [f"unsigned {ALL_CALLS} = 0;"]
    for stated in spec.calls().values():
        lines += _function(stated[0], len(stated))
    return lines


def _function(trigger: Trigger, most: int) -> list[str]:
    name, count, order = trigger.name, count_variable(trigger.name), order_variable(trigger.name)
    lines = [f"unsigned {count} = 0;", f"unsigned {order}[{most}];"]
    notes = [f"{order}[{count}] = {ALL_CALLS};"]
    leaf = 0
    for number, type_ in enumerate(trigger.types):
        for path, scalar in leaf_paths(type_):
            variable = leaf_variable(name, leaf)
            lines.append(f"{c_type(scalar)} {variable}[{most}];")
            notes.append(f"{variable}[{count}] = a{number}{path};")
            leaf += 1
    parameters = ", ".join(parameter(f"a{n}", type_) for n, type_ in enumerate(trigger.types)) or "void"
    # More calls than there are triggers would be a mistake: they are counted, not noted.
    body = f"if ({count} < {most}) {{ {' '.join(notes)} }} {count}++; {ALL_CALLS}++;"
    return [*lines, f"void {name}({parameters}) {{ {body} }}"]
