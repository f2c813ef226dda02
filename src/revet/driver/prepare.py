"""The passes that lie between a front end's model and an engine."""

from __future__ import annotations

from revet.errors import UsageError
from revet.model.circuit import Circuit
from revet.records import Record
from revet.transform.reduction import chain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from revet.engines.registry import EngineInfo
    from revet.transform.reduction import Model, Reduction


class Preparation(Record):
    """Which reductions to make; all that lose nothing are on by default."""

    reduce: bool = True
    large_blocks: bool = True
    array_cells: bool = False
    """Watch a few cells of the arrays instead of the arrays: finds quantified invariants."""


def prepare(model: Model, info: EngineInfo, how: Preparation) -> Reduction:
    """The model as the engine wants it, with the way back."""
    if isinstance(model, Circuit):
        return _prepare_circuit(model, info, how)
    from revet.model.cfa import Cfa

    passes: list[Callable[[Any], Reduction]] = []
    if isinstance(model, Cfa):
        from revet.transform.blocks import large_blocks
        from revet.transform.clean import clean
        from revet.transform.merge_errors import merge_errors
        from revet.transform.slice import slice_cfa

        if how.reduce and info.reduced:
            passes += [clean, slice_cfa, clean]
        if how.large_blocks and info.blocks:
            passes += [merge_errors, large_blocks]
        if how.array_cells:
            from revet.transform.cells import array_cells

            passes.append(array_cells)
        if info.takes in ("system", "circuit"):
            from revet.transform.to_system import to_system

            passes.append(to_system)
    else:
        if info.takes == "cfa":
            raise UsageError(
                f"engine {info.name} works on control-flow automata, and this input is a transition system"
            )
        if how.reduce:
            from revet.transform.slice import slice_system

            passes.append(slice_system)
    if info.takes == "circuit":
        from revet.transform.bitblast import bit_blast

        passes += [bit_blast, *_circuit_passes(how)]
    return chain(model, passes)


def _prepare_circuit(circuit: Circuit, info: EngineInfo, how: Preparation) -> Reduction:
    if info.takes == "cfa":
        raise UsageError(f"engine {info.name} works on control-flow automata, and this input is a circuit")
    passes = _circuit_passes(how)
    if not info.circuits:
        from revet.transform.circuit_system import circuit_to_system

        passes.append(circuit_to_system)
    return chain(circuit, passes)


def _circuit_passes(how: Preparation) -> list[Callable[[Any], Reduction]]:
    if not how.reduce:
        return []
    from revet.transform.circuit import cone_of_influence, reduce_circuit
    from revet.transform.latches import merge_latches

    return [cone_of_influence, reduce_circuit, merge_latches]
