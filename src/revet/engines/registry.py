"""The table of engines. Add a row when you add an engine."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from revet.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from types import ModuleType
    from typing import Literal


@dataclass(frozen=True)
class EngineInfo:
    """``takes`` is the model the engine wants: the driver converts (CFA to system) if it can;
    "any": both CFAs and systems, as the front end made them; "procedures": the program's other
    model, with its recursive procedures; "program": the source, with the interpreter of its language.

    ``circuits``: takes a circuit as it is, if it is given one; other engines get it as a system.

    ``horn``: takes Horn clauses as they are; other engines get linear ones as an automaton.

    ``procedures``: of a program with recursive procedures it is asked first about these
    (``check_procedures``), which can prove it, and then about the model with unrolled calls.

    ``blocks``: large-block encoding first, unless the user says ``--no-large-blocks``.

    ``reduced``: without what cannot matter, unless the user says ``--no-reduce``.
    """

    name: str
    module: str
    takes: Literal["cfa", "system", "circuit", "any", "procedures", "program"]
    summary: str
    blocks: bool = True
    circuits: bool = False
    reduced: bool = True
    horn: bool = False
    procedures: bool = False

    def load(self) -> ModuleType:
        return import_module(self.module)


_TABLE: list[EngineInfo] = [
    EngineInfo(
        "pdr", "revet.engines.pdr", "circuit", "PDR (IC3) for circuits and bit-vectors, on a SAT solver",
        circuits=True,
    ),
    EngineInfo("pdr-cfa", "revet.engines.pdr_cfa", "cfa", "PDR lifted to the control-flow graph",
               procedures=True),
    EngineInfo("kind", "revet.engines.kind", "system", "k-induction with path compression and invariants",
               circuits=True),
    EngineInfo("bmc", "revet.engines.bmc", "any", "bounded model checking: finds runs, proves by exhaustion",
               circuits=True),
    EngineInfo("spacer", "revet.engines.spacer", "any", "z3's Spacer on the Horn encoding of the model",
               horn=True),
    EngineInfo(
        "summaries", "revet.engines.summaries", "procedures",
        "contracts of recursive procedures, found by z3's Spacer", blocks=False,
    ),
    EngineInfo(
        "pdr-ia", "revet.engines.pdr_ia", "system",
        "PDR with implicit predicate abstraction: predicates from interpolants",
    ),
    EngineInfo(
        "cegar", "revet.engines.cegar", "cfa", "lazy abstraction with predicates and values",
        blocks=False,
    ),
    EngineInfo(
        "absint", "revet.engines.absint", "cfa", "octagons, intervals, signs, congruences and constants",
        blocks=False,
    ),
    EngineInfo(
        "ic3-qe", "revet.engines.ic3_qe", "system", "IC3 with theory cubes, projection and bounding boxes",
    ),
    EngineInfo(
        "post", "revet.engines.post", "cfa", "exact reachability by post images", blocks=False,
    ),
    EngineInfo("invgen", "revet.engines.invgen", "system", "invariants from templates and samples"),
    EngineInfo("houdini", "revet.engines.houdini", "cfa", "guesses invariants, keeps what is inductive"),
    EngineInfo("shapes", "revet.engines.shapes", "cfa", "guesses invariants about pointers and blocks"),
    EngineInfo(
        "boxes", "revet.engines.boxes", "cfa", "floating-point programs, by cases and intervals",
        blocks=False, reduced=False,
    ),
    EngineInfo("explore", "revet.engines.explore", "program", "runs the source program with random inputs"),
    EngineInfo("imc", "revet.engines.imc", "system", "interpolation-based model checking"),
]

REGISTRY: dict[str, EngineInfo] = {info.name: info for info in _TABLE}


def engine(name: str) -> EngineInfo:
    info = REGISTRY.get(name)
    if info is None:
        raise UsageError(f"there is no engine {name}; {did_you_mean(name, REGISTRY)}")
    return info
