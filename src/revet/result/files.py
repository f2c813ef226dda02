"""Evidence in files: certificates and traces as JSON that a person can read and write.

docs/evidence.md describes the format. Formulas are SMT-LIB terms over the model's variables, whose
sorts are the model's; locations, properties and variables are named as in the model. Everything
that does not fit the model or the format is an :class:`InputError` that says what.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from revet.errors import InputError, Position
from revet.logic.smtlib import print_term, read_term
from revet.logic.terms import Term
from revet.model.kind import Model
from revet.model.procedures import Procedures
from revet.result.certificate import KINDS
from revet.result.fields import Fields
from revet.result.trace import Trace
from revet.result.trace_files import read_trace, write_trace
from revet.result.verdict import Safe, Unknown, Unsafe, Verdict

VERSION = 1


def write_evidence(path: Path, verdict: Verdict, model: Model) -> None:
    """Save the certificate or the trace of a verdict about ``model``."""
    match verdict:
        case Safe(certificate):
            body = {"kind": certificate.kind, **certificate.fields(print_term)}
        case Unsafe(trace):
            body = write_trace(trace, model)
        case Unknown(reason):
            raise InputError(f"there is no evidence to save: {reason}")
    text = json.dumps({"revet": VERSION, "model": model.name, **body}, indent=1, ensure_ascii=False)
    try:
        path.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from None


def read_evidence(
    path: Path, model: Model, procedures: Callable[[], Procedures] | None = None
) -> Verdict:
    """The claim that a file makes about ``model``, or about the program's other model, its
    ``procedures``: to be checked, not to be believed."""
    record = _parse(path)
    try:
        if record.get("revet") != VERSION:
            raise InputError(f'"revet" must be {VERSION}, the version of the format')
        kind = record.get("kind")
        if kind == "trace":
            trace: Trace = read_trace(record, model)
            return Unsafe(trace)
        if not isinstance(kind, str) or kind not in KINDS:
            kinds = ", ".join(sorted((*KINDS, "trace")))
            raise InputError(f'"kind" is {json.dumps(kind)}, but must be one of: {kinds}')
        return Safe(KINDS[kind].read(Fields(record, model, _term, procedures, str(path))))
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


def _term(data: object, scope: Callable[[], Iterable[Term]], what: str) -> Term:
    if not isinstance(data, str):
        raise InputError(f"expected an SMT-LIB formula as text, got {json.dumps(data)}")
    return read_term(data, scope(), file=what)
