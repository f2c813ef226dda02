"""What makes a *safe* believable: formulas that a checker can test without the engine.

A kind of certificate is one class: its data, its codec (``fields`` and ``read``, see
:mod:`revet.result.fields`) and its words (``text`` for the terminal, ``sentence`` for the report, ``data``
for ``--json``). What it takes to believe one is a function in :mod:`revet.checker`, with a row in the
table of :mod:`revet.checker.certificate`; nothing else knows all kinds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from revet.errors import InputError
from revet.result.fields import shown
from revet.result.kind import KINDS as KINDS
from revet.result.kind import Certificate as Certificate
from revet.result.run_certificates import FewRuns as FewRuns
from revet.result.run_certificates import OnlyRun as OnlyRun

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from revet.logic.terms import FunctionSymbol, Term
    from revet.model.cfa import Location
    from revet.model.procedures import Contract
    from revet.result.fields import Fields

_MOST_CLAUSES = 40  # are printed


def _inductive(k: int, simple_path: bool = False) -> str:
    how = "inductive invariant" if k == 1 else f"{k}-inductive invariant"
    return how + (" over different states" if simple_path else "")


def _by_induction(what: str, them: str, end: str, k: int) -> str:
    how = (
        f"{them} at the start, and every step keeps it so" if k == 1
        else f"where {them} for {k} steps in a row, {them} in the next one, and in the first {k} steps"
    )
    return f"{what}: {how}. {end}"


@dataclass(frozen=True, eq=False)
class KInductive(Certificate):
    """For a transition system: ``formula`` implies the properties and is k-inductive.

    That is: it holds in the first k states of every run, and k consecutive states in which it
    holds are never followed by one in which it does not. With ``simple_path``, the k + 1 states
    may be taken to be pairwise different, and none but the first to be initial (a shortest
    counterexample has no other shape).
    """

    kind = "k-inductive"
    formula: Term
    k: int = 1
    simple_path: bool = False

    def fields(self, term: Callable[[Term], Any]) -> dict[str, Any]:
        return {"k": self.k, "simple_path": self.simple_path, "formula": term(self.formula)}

    @classmethod
    def read(cls, fields: Fields) -> KInductive:
        fields.require_keys("k", "simple_path", "formula")
        otherwise = 'a "k-inductive" formula is for transition systems; automata have "invariants"'
        formula = fields.formula(
            fields.record.get("formula"), lambda: fields.system(otherwise).variables, "formula"
        )
        return cls(formula, fields.number("k", 1), fields.flag("simple_path"))

    def text(self, model: object) -> str:
        return f"{_inductive(self.k, self.simple_path)}\n  {self.formula}"

    def sentence(self) -> str:
        what = "This formula holds in every reachable state"
        return _by_induction(what, "it holds", "It excludes the error.", self.k)


@dataclass(frozen=True, eq=False)
class LocationInvariants(Certificate):
    """For an automaton: a formula for (at least) enough locations to cut every cycle.

    The initial location's formula defaults to true, an error location's to false. Other
    locations without a formula are crossed by the checker, path by path. ``k`` and
    ``simple_path`` as in :class:`KInductive`; a step leads from one location that has a formula
    (given or by default) to the next, a state is such a location with the variables' values.
    """

    kind = "invariants"
    formulas: Mapping[Location, Term]
    k: int = 1
    simple_path: bool = False

    def fields(self, term: Callable[[Term], Any]) -> dict[str, Any]:
        places = {place.name: term(formula) for place, formula in self.formulas.items()}
        return {"k": self.k, "simple_path": self.simple_path, "locations": places}

    @classmethod
    def read(cls, fields: Fields) -> LocationInvariants:
        fields.require_keys("k", "simple_path", "locations")
        model = fields.automaton(
            '"invariants" are for automata; transition systems have a "k-inductive" formula'
        )
        given = fields.table("locations", "the formula of each location by its name")
        formulas = {
            fields.location(name): fields.formula(data, lambda: model.variables, f"formula of {name}")
            for name, data in given.items()
        }
        return cls(formulas, fields.number("k", 1), fields.flag("simple_path"))

    def text(self, model: object) -> str:
        errors = set(getattr(model, "errors", ()))
        rows = [(place, formula) for place, formula in self.formulas.items() if place not in errors]
        if not rows:
            return "no run reaches an error location: the automaton's paths all end before"
        names = [f"{p.name} (line {p.position.line})" if p.position else p.name for p, _ in rows]
        width = max(len(name) for name in names)
        lines = [f"  {name:{width}}  {formula}" for name, (_, formula) in zip(names, rows, strict=True)]
        return f"{_inductive(self.k)}\n" + "\n".join(lines)

    def sentence(self) -> str:
        what = "These formulas hold whenever a run is at their places"
        return _by_induction(what, "they hold", "Together they exclude the error.", self.k)

    def data(self) -> dict[str, Any]:
        places = [
            {"location": p.name, "line": p.position.line if p.position else None, "formula": str(formula)}
            for p, formula in self.formulas.items()
        ]
        return {"kind": "location-invariants", "k": self.k, "invariants": places}


@dataclass(frozen=True, eq=False)
class Exhausted(Certificate):
    """Every run has ended before ``depth`` steps, and none of them violates a property.

    ``backward``: no *violating* run has ``depth`` steps or more, wherever it starts, and none
    of the shorter ones starts in an initial state.
    ``simple_path`` (not with ``backward``): only runs that repeat no state and visit no initial
    state but the first have ended before ``depth`` steps; the other runs reach nothing new.
    ``one_by_one`` (for automata, with neither of the others): the runs are few, and the checker had better
    follow each of them than ask about all of one length together.
    ``by_rounds`` (likewise): no loop has ``depth`` rounds after the first, each time that it is entered, and
    the checker had better merge runs where the automaton joins them than where they have the same length.

    For an automaton, runs are followed only through the part of the graph that lies between the
    initial and an error location; elsewhere they may go on for ever. A step leads from one
    location of ``cuts`` to the next, and locations in between are crossed path by path (None: a
    step is an edge). The initial and the error locations always belong to the cuts, and every
    cycle that matters must meet one. (Large-block encoding counts its own steps; the locations it
    kept are the cuts when its answer is carried back.)
    """

    kind = "exhausted"
    depth: int
    backward: bool = False
    simple_path: bool = False
    cuts: frozenset[Location] | None = None
    one_by_one: bool = False
    by_rounds: bool = False

    def fields(self, term: Callable[[Term], Any]) -> dict[str, Any]:
        record = {"depth": self.depth, "backward": self.backward, "simple_path": self.simple_path}
        if self.one_by_one:
            record["one_by_one"] = True
        if self.by_rounds:
            record["by_rounds"] = True
        return record if self.cuts is None else {**record, "cuts": sorted(p.name for p in self.cuts)}

    @classmethod
    def read(cls, fields: Fields) -> Exhausted:
        fields.require_keys("depth", "backward", "simple_path", "cuts", "one_by_one", "by_rounds")
        cuts = None
        if fields.record.get("cuts") is not None:
            fields.automaton('"cuts" are locations, and a transition system has none')
            cuts = frozenset(map(fields.location, fields.listed("cuts", "a list of names of locations")))
        flags = {name: fields.flag(name) for name in ("backward", "simple_path", "one_by_one", "by_rounds")}
        return cls(fields.number("depth"), cuts=cuts, **flags)

    def text(self, model: object) -> str:
        if self.by_rounds:
            return f"every run ends, and no loop has more than {self.depth} rounds each time it is entered"
        where = "backwards from the error" if self.backward else "from the start"
        runs = "every run that repeats no state" if self.simple_path else "every run"
        return f"{runs}, followed {where}, has ended after {self.depth} steps"

    def sentence(self) -> str:
        text = self.text(None)
        runs = "none" if self.by_rounds else f"none of at most {self.depth} steps"
        return f"{text[0].upper()}{text[1:]}; {runs} breaks the property."


@dataclass(frozen=True, eq=False)
class CircuitInvariant(Certificate):
    """For a circuit: "every clause holds, and no bad literal is true" is k-inductive.

    That is: it holds in the first k steps of every run, and k consecutive steps in which it holds
    are never followed by one in which it does not. ``clauses`` are disjunctions of literals of
    latches, numbered as in the circuit. With ``simple_path``, the latches of the k + 1 steps may
    be taken to be pairwise different.
    """

    kind = "clauses"
    clauses: tuple[tuple[int, ...], ...]
    k: int = 1
    simple_path: bool = False

    def fields(self, term: Callable[[Term], Any]) -> dict[str, Any]:
        return {"k": self.k, "simple_path": self.simple_path, "clauses": self.clauses}

    @classmethod
    def read(cls, fields: Fields) -> CircuitInvariant:
        fields.require_keys("k", "simple_path", "clauses")
        fields.circuit('"clauses" are for circuits')
        what = "a list of lists of literals of latches"
        clauses = fields.listed("clauses", what)
        if not all(isinstance(one, list | tuple) and all(type(x) is int for x in one) for one in clauses):
            raise InputError(f'"clauses" must be {what}')
        return cls(tuple(map(tuple, clauses)), fields.number("k", 1), fields.flag("simple_path"))

    def text(self, model: Any) -> str:
        clauses, how = self.clauses, _inductive(self.k, self.simple_path)
        lines = [f"{how}: no bad state, and {len(clauses)} clause{'s' * (len(clauses) != 1)}"]
        for clause in clauses[:_MOST_CLAUSES]:
            words = [f"{'¬' if x & 1 else ''}{model.name_of(x >> 1)}" for x in clause]
            lines.append("  " + " ∨ ".join(words))
        if len(clauses) > _MOST_CLAUSES:
            lines.append(f"  … {len(clauses) - _MOST_CLAUSES} more")
        return "\n".join(lines)

    def sentence(self) -> str:
        what = "This formula holds in every reachable state"
        return _by_induction(what, "it holds", "It excludes the error.", self.k)


@dataclass(frozen=True, eq=False)
class ProcedureContracts(Certificate):
    """For a program of procedures: each keeps its contract, so none reaches an error.

    ``contracts`` by the name of the procedure; ``invariants`` by the name of the location: for every
    procedure enough to cut the cycles of its automaton (see :mod:`revet.model.procedures`), over
    its variables and their values at entry.
    """

    kind = "contracts"
    about = "procedures"
    contracts: Mapping[str, Contract]
    invariants: Mapping[str, Term]

    def fields(self, term: Callable[[Term], Any]) -> dict[str, Any]:
        said = {
            name: {"requires": term(one.requires), "ensures": term(one.ensures)}
            for name, one in self.contracts.items()
        }
        return {"contracts": said, "invariants": {name: term(f) for name, f in self.invariants.items()}}

    @classmethod
    def read(cls, fields: Fields) -> ProcedureContracts:
        from revet.model.procedures import Contract

        fields.require_keys("contracts", "invariants")
        contracts = {}
        for name, said in fields.table("contracts", "the contract of each procedure").items():
            if not isinstance(said, dict) or set(said) != {"requires", "ensures"}:
                raise InputError(f'the contract of {name} must have "requires" and "ensures" and no more')
            both = [fields.formula(said[key], fields.everything, f"{key} of {name}") for key in said]
            contracts[name] = Contract(**dict(zip(said, both, strict=True)))
        invariants = {
            name: fields.formula(data, fields.everything, f"formula of {name}")
            for name, data in fields.table("invariants", "the formula of each location by its name").items()
        }
        return cls(contracts, invariants)

    def text(self, model: object) -> str:
        return "contracts of the procedures\n" + "\n".join(
            f"  {name} requires {contract.requires}\n  {name} ensures {contract.ensures}"
            for name, contract in self.contracts.items()
        )

    def sentence(self) -> str:
        return ("Each procedure keeps its contract: called where what it requires holds, it ensures "
                "the rest, given that those it calls keep theirs. No error is reached.")

    def data(self) -> dict[str, Any]:
        said = [
            {"procedure": name, "requires": str(one.requires), "ensures": str(one.ensures)}
            for name, one in self.contracts.items()
        ]
        held = [{"location": name, "formula": str(formula)} for name, formula in self.invariants.items()]
        return {"kind": "contracts", "contracts": said, "invariants": held}


@dataclass(frozen=True, eq=False)
class HornModel(Certificate):
    """For Horn clauses: an interpretation of the predicates under which every clause holds.

    ``formulas`` has one for each predicate, over the system's ``arguments`` of that predicate.
    """

    kind = "horn-model"
    formulas: Mapping[FunctionSymbol, Term]

    def fields(self, term: Callable[[Term], Any]) -> dict[str, Any]:
        return {"predicates": {p.name: term(formula) for p, formula in self.formulas.items()}}

    @classmethod
    def read(cls, fields: Fields) -> HornModel:
        fields.require_keys("predicates")
        system = fields.clauses('a "horn-model" is for Horn clauses')
        known = {predicate.name: predicate for predicate in system.predicates}
        formulas: dict[FunctionSymbol, Term] = {}
        for name, data in fields.table("predicates", "the formula of each predicate by its name").items():
            if name not in known:
                raise InputError(f"there is no predicate {shown(name)}")
            predicate = known[name]
            scope = system.arguments[predicate].__iter__
            formulas[predicate] = fields.formula(data, scope, f"formula of {name}")
        return cls(formulas)

    def text(self, model: object) -> str:
        lines = [f"  {p.name}({', '.join(f'{p.name}.{i}' for i in range(len(p.domain)))}) = {formula}"
                 for p, formula in self.formulas.items()]
        return "\n".join(["a model of the clauses", *lines])

    def sentence(self) -> str:
        return "With these formulas for the predicates every clause is true."


@dataclass(frozen=True, eq=False)
class Cases(Certificate):
    """For an automaton: cases of what a run draws, in each of which intervals exclude every error.

    ``tree`` is a decision tree, written from its root on, the *yes* before the *no*: ``(n, bound)``
    asks whether the n-th value that the run draws (havoc, locals of a block) has the sort of
    ``bound``, a float, and is at most ``bound``; ``None`` is a leaf. NaN is never at most anything.
    """

    kind = "cases"
    tree: tuple[tuple[int, Term] | None, ...]

    @property
    def leaves(self) -> int:
        return self.tree.count(None)

    def fields(self, term: Callable[[Term], Any]) -> dict[str, Any]:
        return {"tree": [None if node is None else [node[0], term(node[1])] for node in self.tree]}

    @classmethod
    def read(cls, fields: Fields) -> Cases:
        fields.require_keys("tree")
        fields.automaton('"cases" are for automata')
        tree: list[tuple[int, Term] | None] = []
        for node in fields.listed("tree", "a list of questions [number, bound] and of null, the leaves"):
            match node:
                case None:
                    tree.append(None)
                case [int(number), str() | int() as bound]:
                    tree.append((number, fields.term(bound, lambda: (), "bound")))
                case _:
                    raise InputError(f"expected null or [number, bound] in the tree, got {shown(node)}")
        return cls(tuple(tree))

    def text(self, model: object) -> str:
        return f"in each of {self.leaves} cases of what is drawn, intervals exclude the error"

    def sentence(self) -> str:
        return (f"The floats that a run draws are divided into {self.leaves} cases. In each of "
                "them, intervals of what is computed exclude the error.")

    def data(self) -> dict[str, Any]:
        return {"kind": self.kind, "leaves": self.leaves}
