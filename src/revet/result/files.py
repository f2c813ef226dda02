"""Evidence in files: certificates and traces as JSON that a person can read and write.

docs/evidence.md describes the format. Formulas are SMT-LIB terms over the model's variables, whose
sorts are the model's; locations, properties and variables are named as in the model. Everything
that does not fit the model or the format is an :class:`InputError` that says what.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from revet.errors import InputError, Position
from revet.logic.smtlib import print_term, read_term
from revet.logic.sorts import BOOL
from revet.logic.terms import Term
from revet.model.cfa import Cfa, Location
from revet.model.circuit import Circuit
from revet.model.circuit_system import system_of
from revet.model.system import TransitionSystem
from revet.result.certificate import (
    Cases,
    Certificate,
    CircuitInvariant,
    Exhausted,
    KInductive,
    LocationInvariants,
    OnlyRun,
    ProcedureContracts,
)
from revet.result.trace import Trace
from revet.result.trace_files import read_trace, write_trace
from revet.result.verdict import Safe, Unknown, Unsafe, Verdict

VERSION = 1

Model = Cfa | TransitionSystem | Circuit


def write_evidence(path: Path, verdict: Verdict, model: Model) -> None:
    """Save the certificate or the trace of a verdict about ``model``."""
    match verdict:
        case Safe(certificate):
            body = _certificate_record(certificate)
        case Unsafe(trace):
            body = write_trace(trace, model)
        case Unknown(reason):
            raise InputError(f"there is no evidence to save: {reason}")
    text = json.dumps({"revet": VERSION, "model": model.name, **body}, indent=1, ensure_ascii=False)
    try:
        path.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from None


def read_evidence(path: Path, model: Model) -> Verdict:
    """The claim that a file makes about ``model``: to be checked, not to be believed."""
    record = _parse(path)
    try:
        if record.get("revet") != VERSION:
            raise InputError(f'"revet" must be {VERSION}, the version of the format')
        kind = record.get("kind")
        if kind == "trace":
            trace: Trace = read_trace(record, model)
            return Unsafe(trace)
        if kind not in _READERS:
            kinds = ", ".join(sorted((*_READERS, "trace")))
            raise InputError(f'"kind" is {json.dumps(kind)}, but must be one of: {kinds}')
        return Safe(_READERS[kind](record, model, str(path)))
    except InputError as error:
        if error.position is not None:
            raise
        raise InputError(f"{path}: {error.message}") from None


def _parse(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: not a text file") from None
    try:
        record = json.loads(text, object_pairs_hook=_without_duplicates)
    except json.JSONDecodeError as error:
        lines = text.splitlines() or [""]
        line = lines[min(error.lineno, len(lines)) - 1]
        position = Position(str(path), error.lineno, error.colno)
        raise InputError(f"not JSON: {error.msg}", position, line) from None
    except RecursionError:
        raise InputError(f"{path}: nested too deeply") from None
    except InputError as error:
        raise InputError(f"{path}: {error.message}") from None
    if not isinstance(record, dict):
        raise InputError(f"{path}: expected a JSON object")
    return record


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise InputError(f"{json.dumps(key)} occurs twice")
        found[key] = value
    return found


def _certificate_record(certificate: Certificate) -> dict[str, Any]:
    record: dict[str, Any]
    match certificate:
        case KInductive(formula, k, simple_path):
            record = {"kind": "k-inductive", "k": k, "simple_path": simple_path}
            record["formula"] = print_term(formula)
        case LocationInvariants(formulas, k, simple_path):
            record = {"kind": "invariants", "k": k, "simple_path": simple_path}
            record["locations"] = {place.name: print_term(formula) for place, formula in formulas.items()}
        case Exhausted(depth, backward, simple_path, cuts):
            record = {"kind": "exhausted", "depth": depth, "backward": backward, "simple_path": simple_path}
            if cuts is not None:
                record["cuts"] = sorted(place.name for place in cuts)
        case CircuitInvariant(clauses, k, simple_path):
            record = {"kind": "clauses", "k": k, "simple_path": simple_path, "clauses": clauses}
        case ProcedureContracts():
            raise InputError("contracts of procedures cannot be saved yet")
        case OnlyRun(steps):
            record = {"kind": "only-run", "steps": steps}
        case Cases(tree):
            record = {"kind": "cases"}
            record["tree"] = [None if node is None else [node[0], print_term(node[1])] for node in tree]
    return record


def _read_only_run(record: Mapping[str, Any], model: Model, file: str) -> Certificate:
    _require_keys(record, "steps")
    return OnlyRun(_number(record, "steps", 0))


def _read_cases(record: Mapping[str, Any], model: Model, file: str) -> Certificate:
    _require_keys(record, "tree")
    given = record.get("tree")
    if not isinstance(model, Cfa):
        raise InputError('"cases" are for automata')
    if not isinstance(given, list):
        raise InputError('"tree" must be a list of questions [number, bound] and of null, the leaves')
    tree: list[tuple[int, Term] | None] = []
    for node in given:
        match node:
            case None:
                tree.append(None)
            case [int(number), str(bound)]:
                tree.append((number, read_term(bound, (), file=f"{file}: bound")))
            case _:
                raise InputError(f"expected null or [number, bound] in the tree, got {json.dumps(node)}")
    return Cases(tuple(tree))


def _read_clauses(record: Mapping[str, Any], model: Model, file: str) -> Certificate:
    _require_keys(record, "k", "simple_path", "clauses")
    if not isinstance(model, Circuit):
        raise InputError('"clauses" are for circuits')
    clauses = record.get("clauses")
    if not isinstance(clauses, list) or not all(
        isinstance(clause, list) and all(type(x) is int for x in clause) for clause in clauses
    ):
        raise InputError('"clauses" must be a list of lists of literals of latches')
    return CircuitInvariant(
        tuple(map(tuple, clauses)), _number(record, "k", 1), _flag(record, "simple_path")
    )


def _read_k_inductive(record: Mapping[str, Any], model: Model, file: str) -> Certificate:
    _require_keys(record, "k", "simple_path", "formula")
    if isinstance(model, Circuit):
        model = system_of(model).system
    if not isinstance(model, TransitionSystem):
        raise InputError('a "k-inductive" formula is for transition systems; automata have "invariants"')
    formula = _formula(record.get("formula"), model.variables, f"{file}: formula")
    return KInductive(formula, _number(record, "k", 1), _flag(record, "simple_path"))


def _read_invariants(record: Mapping[str, Any], model: Model, file: str) -> Certificate:
    _require_keys(record, "k", "simple_path", "locations")
    if not isinstance(model, Cfa):
        raise InputError('"invariants" are for automata; transition systems have a "k-inductive" formula')
    given = record.get("locations")
    if not isinstance(given, dict):
        raise InputError('"locations" must be an object: the formula of each location by its name')
    places = {place.name: place for place in model.locations}
    formulas = {
        _location(name, places): _formula(text, model.variables, f"{file}: formula of {name}")
        for name, text in given.items()
    }
    return LocationInvariants(formulas, _number(record, "k", 1), _flag(record, "simple_path"))


def _read_exhausted(record: Mapping[str, Any], model: Model, file: str) -> Certificate:
    _require_keys(record, "depth", "backward", "simple_path", "cuts")
    cuts = record.get("cuts")
    places: frozenset[Location] | None = None
    if cuts is not None:
        if not isinstance(model, Cfa):
            raise InputError('"cuts" are locations, and a transition system has none')
        if not isinstance(cuts, list):
            raise InputError('"cuts" must be a list of names of locations')
        by_name = {place.name: place for place in model.locations}
        places = frozenset(_location(name, by_name) for name in cuts)
    if "depth" not in record:
        raise InputError('"depth" is missing')
    return Exhausted(
        _number(record, "depth", 0), _flag(record, "backward"), _flag(record, "simple_path"), places
    )


_READERS = {
    "k-inductive": _read_k_inductive,
    "invariants": _read_invariants,
    "exhausted": _read_exhausted,
    "clauses": _read_clauses,
    "only-run": _read_only_run,
    "cases": _read_cases,
}


def _require_keys(record: Mapping[str, Any], *allowed: str) -> None:
    for key in record:
        if key not in ("revet", "kind", "model", "comment", *allowed):
            raise InputError(f"{json.dumps(key)} is unknown here; allowed are: {', '.join(allowed)}")


def _formula(text: object, variables: Iterable[Term], what: str) -> Term:
    if not isinstance(text, str):
        raise InputError(f"expected an SMT-LIB formula as text, got {json.dumps(text)}")
    formula = read_term(text, variables, file=what)
    if formula.sort is not BOOL:
        raise InputError(f"not a formula, but a term of sort {formula.sort}", Position(what, 1, 1), text)
    return formula


def _location(name: object, places: Mapping[str, Location]) -> Location:
    if not isinstance(name, str) or name not in places:
        raise InputError(f"there is no location {json.dumps(name)}; there are: {_some(places)}")
    return places[name]


def _some(names: Iterable[str], limit: int = 12) -> str:
    listed = list(names)
    return ", ".join(listed[:limit]) + (", …" if len(listed) > limit else "")


def _number(record: Mapping[str, Any], key: str, default: int) -> int:
    value = record.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise InputError(f"{json.dumps(key)} must be a natural number, not {json.dumps(value)}")
    return value


def _flag(record: Mapping[str, Any], key: str) -> bool:
    value = record.get(key, False)
    if not isinstance(value, bool):
        raise InputError(f"{json.dumps(key)} must be true or false, not {json.dumps(value)}")
    return value
