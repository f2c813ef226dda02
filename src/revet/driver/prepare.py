"""The passes that lie between a front end's model and an engine."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from revet.errors import UsageError
from revet.transform.reduction import chain, unchanged

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from revet.engines.registry import EngineInfo
    from revet.model.cfa import Cfa
    from revet.model.circuit import Circuit
    from revet.model.horn import HornSystem
    from revet.model.kind import Model
    from revet.model.system import TransitionSystem
    from revet.transform.reduction import Reduction


@dataclass(frozen=True)
class Preparation:
    """Which reductions to make; all that lose nothing are on by default."""

    reduce: bool = True
    large_blocks: bool = True
    array_cells: bool = False
    """Watch a few cells of the arrays instead of the arrays: finds quantified invariants."""
    few_numbers: bool = False
    """Write quantifiers out for a few small numbers: finds violations only."""
    bits: bool = False
    """Bit-vectors and small arrays as gates, for engines that also take circuits."""
    any_reads: bool = False
    """Reads of arrays are arbitrary values: finds proofs that do not need what memories hold."""
    quiet: bool = False
    """What a design leaves open is zero: finds violations only."""
    narrow: bool = False
    """Words that are only moved around are all zeros or all ones: finds violations only."""
    control: bool = False
    """Few Boolean variables as control flow: a transition system as an automaton with locations."""
    models_only: bool = False
    """Horn clauses: a proof counts only if it is a model of the clauses."""
    cases: bool = False
    """Horn clauses: a location for each value that the Boolean arguments have, where these are few. Only
    proofs that are models count, for others could not be carried back."""

    def wanted(self, how: Preparation) -> Preparation:
        """These, and what somebody wants of what may be chosen for every engine."""
        return replace(
            self, reduce=how.reduce, large_blocks=how.large_blocks and self.large_blocks,
            array_cells=how.array_cells or self.array_cells, bits=how.bits or self.bits,
            models_only=how.models_only,
        )


def prepare(model: Model, info: EngineInfo, how: Preparation) -> Reduction:
    """The model as the engine wants it, with the way back."""
    return model.accept(_Passes(info, how))


class _Passes:
    """The passes for each kind of model."""

    def __init__(self, info: EngineInfo, how: Preparation) -> None:
        self.info = info
        self.how = how
        self.to_circuit = info.takes == "circuit" or (how.bits and info.circuits)

    def automaton(self, cfa: Cfa) -> Reduction:
        from revet.transform.blocks import large_blocks
        from revet.transform.clean import clean
        from revet.transform.merge_errors import merge_errors
        from revet.transform.slice import slice_cfa

        info, how = self.info, self.how
        passes: list[Callable[[Any], Reduction]] = []
        if how.reduce and info.reduced:
            passes += [clean, slice_cfa, clean]
        if how.large_blocks and info.blocks:
            passes += [merge_errors, large_blocks]
        if how.array_cells:
            from revet.transform.cells import array_cells

            passes.append(array_cells)
        if self.to_circuit or info.takes == "system":
            from revet.transform.to_system import to_bits, to_system

            passes.append(to_bits if self.to_circuit else to_system)
        return chain(cfa, passes + self._as_gates())

    def system(self, system: TransitionSystem) -> Reduction:
        info, how = self.info, self.how
        passes: list[Callable[[Any], Reduction]] = []
        if how.reduce:
            from revet.transform.next_values import next_values
            from revet.transform.slice import slice_system
            from revet.transform.step_inputs import step_inputs

            passes.append(next_values)
            # kind compares states, and proofs must do so with all that is in them; gates have inputs of their
            # own, and what a design leaves open is told apart by what its variables are set to.
            if info.name != "kind" and not self.to_circuit:
                passes.append(step_inputs)
            passes.append(slice_system)
        if how.few_numbers:  # of those quantifiers that matter
            from revet.transform.few_numbers import few_numbers

            passes.append(few_numbers)
        if how.any_reads:
            from revet.transform.reads import arbitrary_reads

            passes.append(arbitrary_reads)
        if how.quiet:
            from revet.transform.quiet import quiet

            passes.append(quiet)
        if how.narrow:
            from revet.transform.narrow import narrow_inputs

            passes.append(narrow_inputs)
        if how.control:
            from revet.transform.control import control_flow

            return chain(system, [*passes, control_flow, self.automaton])
        if info.takes == "cfa":
            from revet.transform.to_automaton import to_automaton

            passes += [to_automaton, self.automaton]
        return chain(system, passes + self._as_gates())

    def circuit(self, circuit: Circuit) -> Reduction:
        passes = self._circuit_passes()
        if not self.info.circuits:
            from revet.transform.circuit_system import circuit_to_system

            passes.append(circuit_to_system)
        if self.info.takes == "cfa":
            from revet.transform.to_automaton import to_automaton

            passes += [to_automaton, self.automaton]
        return chain(circuit, passes)

    def clauses(self, clauses: HornSystem) -> Reduction:
        if self.info.horn:
            return unchanged(clauses)
        if not clauses.linear:
            raise UsageError(
                f"engine {self.info.name} works on linear Horn clauses, and a clause here has two predicates "
                "in its body: use spacer"
            )
        from revet.transform.horn import horn_to_automaton
        from revet.transform.horn_cases import split_cases

        models_only = self.how.models_only or self.how.cases
        passes: list[Callable[[Any], Reduction]] = [split_cases] if self.how.cases else []
        passes.append(lambda system: horn_to_automaton(system, models_only=models_only))
        return chain(clauses, [*passes, self.automaton])

    def _as_gates(self) -> list[Callable[[Any], Reduction]]:
        """From a transition system on, where the engine is to see a circuit."""
        if not self.to_circuit:
            return []
        from revet.transform.bitblast import bit_blast

        few_latches = self.info.takes != "system"  # k-induction compares states
        return [lambda system: bit_blast(system, few_latches=few_latches), *self._circuit_passes()]

    def _circuit_passes(self) -> list[Callable[[Any], Reduction]]:
        if not self.how.reduce:
            return []
        from revet.transform.circuit import cone_of_influence, reduce_circuit
        from revet.transform.latches import merge_latches

        if self.how.narrow:
            from revet.transform.narrow import tie_words

            return [cone_of_influence, tie_words, reduce_circuit, merge_latches]
        if self.info.takes != "circuit":
            return [cone_of_influence, reduce_circuit, merge_latches]
        from revet.transform.one_sided import one_sided_inputs

        return [cone_of_influence, one_sided_inputs, reduce_circuit, merge_latches]
