"""The folder of the cache.

A question has at most two entries: the last certificate and the last run
that violated something; a program that is broken and repaired again finds both. Trouble with the
folder is a note to the user, never a different answer.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
import time
from collections.abc import Callable
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

from revet.budget import Budget
from revet.cache.apart import Failed, apart
from revet.cache.carry import carry
from revet.cache.entry import Damaged, Entry, read_entry, write_entry
from revet.cache.outline import Outline, matching
from revet.cache.rerun import Rerun, recorded_draws, rerun_system
from revet.driver.answer import Answer, Checked
from revet.driver.run import confirm_claim
from revet.errors import RevetError
from revet.frontends.program import Program
from revet.logic.serialize import dumps
from revet.model.cfa import Cfa
from revet.model.circuit import Circuit
from revet.model.execute import Stuck
from revet.model.horn import HornSystem
from revet.model.kind import Model
from revet.model.system import TransitionSystem
from revet.portfolio import Limits
from revet.portfolio.interrupt import Interrupt
from revet.question import Question
from revet.result.serialize import dump_verdict, load_verdict
from revet.result.trace import CfaTrace, SystemTrace
from revet.result.verdict import Safe, Unknown, Unsafe, Verdict
from revet.smt import load_library

ENGINE = "cache"
"""What an answer from the cache names as its engine."""

_PROOF, _RUN = ".proof", ".run"


def entry_name(question: Question, folder: Path) -> str:
    """What the entries of a question are called. The engines are no part of it: evidence is evidence. Paths
    count from where the folder is, so both can move."""
    base = folder.resolve().parent
    files = [os.path.relpath(Path(file).resolve(), base) for file in question.files]
    text = json.dumps([files, sorted(question.options.items()), question.property], default=str)
    stem = re.sub(r"[^A-Za-z0-9_.-]", "_", Path(question.files[0]).name)[:60]
    return f"{stem}-{hashlib.sha256(text.encode()).hexdigest()[:16]}"


class Cache:
    """``say`` gets the notes for the user. ``recalls`` False: answers are kept, but none is looked for."""

    def __init__(self, folder: Path, say: Callable[[str], None], *, recalls: bool = True) -> None:
        self._folder = folder
        self._recalls = recalls
        self._say = say
        self._found: dict[Path, tuple[Entry, bool]] = {}  # what was of use, and was it up to date

    def recall(
        self, question: Question, program: Program, interrupt: Interrupt | None = None
    ) -> Answer | None:
        """An answer whose evidence passes the check on ``program``, or None."""
        if not self._recalls:
            return None
        start = time.monotonic()
        limits = question.limits
        name = entry_name(question, self._folder)
        paths = [self._folder / (name + kind) for kind in (_RUN, _PROOF)]
        for path in sorted(paths, key=_age):  # the last answer first
            entry = self._read(path)
            if entry is None:
                continue
            spent = time.monotonic() - start
            seconds = min(_patience(entry), math.inf if limits.seconds is None else limits.seconds - spent)
            answer = self._try(entry, path, program, replace(limits, seconds=seconds), interrupt)
            if answer is not None:
                answer.seconds = time.monotonic() - start
                return answer
        return None

    def keep(self, question: Question, answer: Answer) -> None:
        """Remember the evidence of an answer that was checked."""
        if isinstance(answer.verdict, Unknown) or answer.checked is None or not answer.checked.accepted:
            return
        kind = _PROOF if isinstance(answer.verdict, Safe) else _RUN
        path = self._folder / (entry_name(question, self._folder) + kind)
        entry, current = self._found.get(path, (None, False))
        if answer.engine == ENGINE and current:
            return
        try:
            if not self._folder.is_dir():
                self._folder.mkdir(parents=True)
                (self._folder / ".gitignore").write_text("*\n")
            write_entry(path, _entry(answer, entry))
        except OSError as error:
            self._say(f"the cache {self._folder} cannot be written: {error.strerror or error}")
        except (RevetError, Stuck):
            return  # evidence without a serialised form

    def _read(self, path: Path) -> Entry | None:
        try:
            return read_entry(path)
        except Damaged as damage:
            self._say(f"the cache entry {path} is damaged and is ignored: {damage}")
            return None

    def _try(
        self, entry: Entry, path: Path, program: Program, limits: Limits, interrupt: Interrupt | None
    ) -> Answer | None:
        if program.model.of_terms:
            load_library()  # here: the engines will need it, too, if this is in vain
        seconds = limits.seconds or 0.0
        try:
            found = apart(lambda: _confirmed(entry, program, seconds), seconds, limits.memory, interrupt)
        except Failed as failure:
            self._say(f"the cache entry {path} cannot be used and is ignored: {failure}")
            return None
        if found is None:
            return None
        data, checked, unchanged = found
        self._found[path] = (entry, unchanged)
        note = f"evidence from the cache, found by {entry.engine} in {entry.seconds:.1f} s"
        if not unchanged:
            note += " for an earlier version of the program"
        checked = replace(checked, notes=(*checked.notes, note))
        return Answer(program, load_verdict(data, program.model), ENGINE, checked)


def _confirmed(entry: Entry, program: Program, seconds: float) -> tuple[bytes, Checked, bool] | None:
    """The evidence as it passed the check; and whether the program is the one it was made for."""
    verdict, unchanged = _claim(entry, program)
    if verdict is None:
        return None
    confirmed, checked = confirm_claim(program, verdict, Budget(seconds))
    if isinstance(confirmed, Unknown) or checked is None:
        return None
    return dump_verdict(confirmed, program.model), checked, unchanged


def _patience(entry: Entry) -> float:
    """Old evidence that no longer holds must not cost more than it might have saved."""
    return max(2.0, min(3 * entry.check_seconds + 2.0, entry.seconds))


def _age(path: Path) -> float:
    try:
        return -path.stat().st_mtime
    except OSError:
        return 0.0


def _entry(answer: Answer, source: Entry | None) -> Entry:
    """``source`` is the entry that the answer comes from, if it does: its finder stays named."""
    model, verdict = answer.program.model, answer.verdict
    drawn: list[tuple[str, Any]] = []
    if isinstance(verdict, Unsafe) and isinstance(verdict.trace, CfaTrace):
        cfa = model.as_automaton()
        assert cfa is not None, "only automata have such runs"
        drawn = recorded_draws(cfa, verdict.trace)
    assert answer.checked is not None
    return Entry(
        dump_verdict(verdict, model),
        model.accept(_Shape()),
        drawn,
        source.engine if source is not None else answer.engine,
        source.seconds if source is not None else round(answer.seconds, 3),
        round(answer.checked.seconds, 3),
    )


class _Shape:
    """An automaton's outline; of other kinds of model, whatever says that two are the same."""

    def automaton(self, cfa: Cfa) -> dict[str, Any]:
        return Outline.of(cfa).data()

    def system(self, system: TransitionSystem) -> dict[str, Any]:
        step, properties = system.step, system.properties
        terms = [system.init, step.guard, *system.invariants, *system.variables, *step.locals]
        terms += [*step.updates, *step.updates.values(), *properties.values()]
        return _digest(dumps(terms) + repr(list(properties)).encode())

    def clauses(self, clauses: HornSystem) -> dict[str, Any]:
        terms = [term for one in clauses.clauses for term in (*one.atoms, one.constraint)]
        heads = repr([(len(one.body), one.head is None) for one in clauses.clauses])
        return _digest(dumps(terms) + heads.encode())

    def circuit(self, circuit: Circuit) -> dict[str, Any]:
        return _digest(repr(astuple(circuit)).encode())


def _digest(data: bytes) -> dict[str, Any]:
    return {"digest": hashlib.sha256(data).hexdigest()}


def _claim(entry: Entry, program: Program) -> tuple[Verdict | None, bool]:
    """What the entry says about the program as it is now, and whether the model is unchanged."""
    model = program.model
    if entry.shape == model.accept(_Shape()):
        return load_verdict(entry.verdict, model), True
    return model.accept(_Carried(entry)), False


class _Carried:
    """What an entry about an earlier model says about this one, for each kind of model."""

    def __init__(self, entry: Entry) -> None:
        self.entry = entry

    def automaton(self, cfa: Cfa) -> Verdict | None:
        if "marks" not in self.entry.shape:
            return None
        old = Outline.from_data(self.entry.shape)
        counterparts = matching(old, Outline.of(cfa))
        match load_verdict(self.entry.verdict, old.skeleton):
            case Safe(certificate):
                return Safe(carry(certificate, cfa, counterparts))
            case Unsafe(trace) if isinstance(trace, CfaTrace):
                found = Rerun(cfa, trace, self.entry.draws, counterparts).trace()
                return None if found is None else Unsafe(found)
        return None

    def system(self, system: TransitionSystem) -> Verdict | None:
        verdict = self.clauses(system)
        if isinstance(verdict, Unsafe) and isinstance(verdict.trace, SystemTrace):
            found = rerun_system(system, verdict.trace)
            return None if found is None else Unsafe(found)
        return verdict

    def circuit(self, circuit: Circuit) -> Verdict | None:
        return self.clauses(circuit)

    def clauses(self, model: Model) -> Verdict | None:
        verdict = load_verdict(self.entry.verdict, model)
        return Safe(carry(verdict.certificate, model, {})) if isinstance(verdict, Safe) else verdict
