"""What the default strategy looks at in a model before it chooses engines."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from revet.frontends.program import Explores, has_procedures

if TYPE_CHECKING:
    from revet.frontends.program import Program
    from revet.model.cfa import Cfa
    from revet.model.circuit import Circuit
    from revet.model.horn import HornSystem
    from revet.model.kind import Model
    from revet.model.system import TransitionSystem


_MEMORY = ("pointer", "free", "leak", "cleanup")
"""Kinds of properties."""


@dataclass(frozen=True)
class Features:
    """Facts about a model; ``None`` never occurs, so conditions on them read plainly."""

    automaton: bool
    size: int
    loops: bool
    variables: int
    integers: bool
    reals: bool
    bit_vectors: bool
    floats: bool
    arrays: bool
    nonlinear: bool
    functions: bool
    quantifiers: bool = False
    made_of_bits: bool = False
    """Only Booleans, bit-vectors and arrays with few cells: it can be a circuit."""
    bits_and_arrays: bool = False
    """The same, with arrays of any size: it can be one if nothing is known of what they hold."""
    circuit: bool = False
    control: bool = False
    """A transition system that seems to have a program counter, as Boolean variables."""
    machines: bool = False
    """And variables that say in which state a state machine is."""
    twins: bool = False
    """At least half of a system's variables belong to two instances of one module, by their names."""
    data: bool = False
    """Most bits of a system's registers belong to words that are only moved around."""
    executable: bool = False
    """There is an interpreter that can run the source with inputs of its own choice."""
    inputs: bool = True
    """A run of the source may ask for inputs."""
    text: bool = False
    """They may be text."""
    horn: bool = False
    """Horn clauses; ``automaton`` says whether they are linear."""
    booleans: int = 0
    """Horn clauses: the most Boolean arguments that a predicate has beside others."""
    recursive: bool = False
    """The program also has a model with its recursive procedures."""
    memory: bool = False
    """Whether memory is used rightly is asked, or part of what is asked."""

    def describe(self) -> str:
        """One line for ``--explain-choice``."""
        kind = "automaton" if self.automaton else "circuit" if self.circuit else "transition system"
        if self.horn:
            kind = "linear Horn clauses" if self.automaton else "Horn clauses"
        words = [f"{kind} of size {self.size} with {self.variables} variables"]
        words.append("loops" if self.loops else "no loops")
        told = {
            "integers": self.integers, "reals": self.reals, "bit-vectors": self.bit_vectors,
            "floats": self.floats, "arrays": self.arrays, "nonlinear": self.nonlinear,
            "functions": self.functions, "quantifiers": self.quantifiers,
        }
        words += [name for name, present in told.items() if present]
        return ", ".join(words)


def features_of_program(program: Program) -> Features:
    memory = any(one.kind in _MEMORY for one in program.properties)
    found = replace(features_of(program.model), recursive=has_procedures(program), memory=memory)
    if not isinstance(program, Explores):
        return found
    return replace(found, executable=True, inputs=program.takes_inputs, text=program.reads_text)


def features_of(model: Model) -> Features:
    return model.accept(_Look())


class _Look:
    """Features of each kind of model; of those made of terms in :mod:`revet.portfolio.term_features`."""

    def circuit(self, circuit: Circuit) -> Features:
        return Features(
            automaton=False, size=circuit.gates, loops=True, variables=circuit.latches,
            integers=False, reals=False, bit_vectors=False, floats=False, arrays=False, nonlinear=False,
            functions=False, circuit=True,
        )

    def automaton(self, cfa: Cfa) -> Features:
        from revet.portfolio.term_features import features_of_automaton

        return features_of_automaton(cfa)

    def system(self, system: TransitionSystem) -> Features:
        from revet.portfolio.term_features import features_of_system

        return features_of_system(system)

    def clauses(self, clauses: HornSystem) -> Features:
        from revet.portfolio.term_features import features_of_clauses

        return features_of_clauses(clauses)
