"""What the default strategy looks at in a model before it chooses engines."""

from __future__ import annotations

from revet.model.circuit import Circuit
from revet.records import Record, replace

TYPE_CHECKING = False
if TYPE_CHECKING:

    from revet.frontends.program import Program
    from revet.transform.reduction import Model


class Features(Record):
    """Facts about a model; ``None`` never occurs, so conditions on them read plainly."""

    automaton: bool
    size: int
    loops: bool
    variables: int
    booleans_only: bool
    integers: bool
    reals: bool
    bit_vectors: bool
    floats: bool
    arrays: bool
    nonlinear: bool
    functions: bool
    circuit: bool = False
    executable: bool = False
    """There is an interpreter that can run the source with inputs of its own choice."""
    recursive: bool = False
    """The program also has a model with its recursive procedures."""

    @property
    def made_of_bits(self) -> bool:
        """Only Booleans and bit-vectors: it can be a circuit."""
        return not (self.integers or self.reals or self.floats or self.arrays or self.functions)

    def describe(self) -> str:
        """One line for ``--explain-choice``."""
        kind = "automaton" if self.automaton else "circuit" if self.circuit else "transition system"
        words = [f"{kind} of size {self.size} with {self.variables} variables"]
        words.append("loops" if self.loops else "no loops")
        for name in ("integers", "reals", "bit_vectors", "floats", "arrays", "nonlinear", "functions"):
            if getattr(self, name):
                words.append(name.replace("_", "-"))
        return ", ".join(words)


def features_of_program(program: Program) -> Features:
    executable, recursive = program.explore is not None, program.procedures is not None
    return replace(features_of(program.model), executable=executable, recursive=recursive)


def features_of(model: Model) -> Features:
    if isinstance(model, Circuit):
        return Features(
            automaton=False, size=model.gates, loops=True, variables=model.latches, booleans_only=True,
            integers=False, reals=False, bit_vectors=False, floats=False, arrays=False, nonlinear=False,
            functions=False, circuit=True,
        )
    from revet.portfolio.term_features import features_of_terms

    return features_of_terms(model)
