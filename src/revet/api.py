"""The Python API: ``import revet; revet.check("program.spa")``, and the one road from question to answer."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from revet.driver.answer import Answer
from revet.driver.prepare import Preparation
from revet.errors import UsageError
from revet.events import ignore
from revet.frontends.program import Divides, Program
from revet.frontends.registry import load as load_files
from revet.model.kind import Model
from revet.portfolio import Limits, PortfolioRun, asked_for
from revet.portions import answer_in_portions
from revet.question import Question

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from typing import Any

    from revet.budget import Budget
    from revet.cache import Cache
    from revet.events import Observer
    from revet.portfolio import Interrupt
    from revet.result.trace import Trace


class Result(Answer):
    """An answer that notebooks can show, and that writes its own report."""

    def _repr_html_(self) -> str:
        """What a notebook shows in a cell's output."""
        from revet.report.html import html_fragment

        return html_fragment(self)

    def html(self) -> str:
        """The page of ``--html``, without the plot of the engines' progress."""
        from revet.report.html import html_report

        return html_report(self)


def check(
    what: str | Path | Sequence[str | Path] | Model | Program,
    *,
    engine: str | None = None,
    engines: str | None = None,
    options: Mapping[str, Any] | None = None,
    timeout: float | None = None,
    memory: int | None = None,
    property: str | None = None,
    large_blocks: bool = True,
    array_cells: bool = False,
    bits: bool = False,
    reduce: bool = True,
    observe: Observer = ignore,
    **language_options: Any,
) -> Result:
    """Check a file (or the files of one program), an automaton or a transition system; the answer's
    evidence is confirmed.

    ``engine`` None runs the portfolio, with the ``engines`` if they are given ("kind,bmc").
    ``options`` are the engine's, as after ``-O`` on the command line. ``property`` names one of
    several, or a specification that the language knows ("no-overflow" for C). ``memory`` is in bytes, for
    all processes together. ``observe`` is called with every event (:mod:`revet.events`): frames, lemmas,
    obligations, predicates. Other keywords are options of the input language (``entry`` for C); one that
    it does not have is an error.
    """
    _refuse_other_kinds({
        "engine": engine, "engines": engines, "property": property, "options": options, "timeout": timeout,
        "memory": memory,
    })  # fmt: skip
    program = as_program(what, language_options, property)
    preparation = Preparation(reduce, large_blocks, array_cells, bits=bits)
    texts = {key: str(value) for key, value in (options or {}).items()}
    chosen = asked_for(engine, engines, texts, preparation)
    limits = Limits(timeout, memory, verbose=observe is not ignore)
    question = Question((), {}, property, chosen, preparation, limits)
    for one, about in question.parts(program):  # the first answer that is not safe, else the last one
        found = answer(one, about, observe)
        if found.status != "safe":
            break
    return Result(**vars(found))


def _refuse_other_kinds(given: Mapping[str, object]) -> None:
    """A keyword with a value of the wrong kind is refused here, not somewhere in a worker."""
    from collections.abc import Mapping

    kinds: dict[str, tuple[type | tuple[type, ...], str]] = {
        "engine": (str, "a name"), "engines": (str, "names with commas"), "property": (str, "a name"),
        "options": (Mapping, "a dictionary"), "timeout": ((int, float), "seconds"), "memory": (int, "bytes"),
    }  # fmt: skip
    for name, value in given.items():
        kind, words = kinds[name]
        wrong = not isinstance(value, kind) or isinstance(value, bool)
        if value is not None and (wrong or (isinstance(value, (int, float)) and not value >= 0)):
            raise UsageError(f"{name}={value!r}: expected {words}")


def load(*paths: str | Path, property: str | None = None, **language_options: Any) -> Program:
    """A program as Revet reads it, to look at or to check: its ``model``, ``properties`` and ``assumptions``.

    ``property`` and the other keywords mean what they mean in :func:`check`.
    """
    return as_program(list(paths), language_options, property)


def answer(
    question: Question,
    program: Program,
    observe: Observer = ignore,
    interrupt: Interrupt | None = None,
    cache: Cache | None = None,
) -> Answer:
    """The one road: old evidence if a cache has some that still holds, else the engines; and where they
    cannot decide all of the question, its portions one by one (:mod:`revet.portions`).

    ``program`` is what ``question.read()`` gave, or a model that was built in Python. Without an
    ``interrupt``, Ctrl-C raises.
    """


    def begin(one: Question, about: Program) -> _Asked:
        return _Asked(one, about, observe, interrupt, cache)

    if isinstance(program, Divides) and len(program.portions) > 1:
        return answer_in_portions(question, program, begin, interrupt)
    asked = begin(question, program)
    try:
        found = asked.answer()
        assert found is not None, "it was not to be left"
        return found
    finally:
        asked.end()


class _Asked(PortfolioRun):
    """A question about a program or a portion of it: the engines run if the cache has no answer."""

    def __init__(
        self, question: Question, program: Program, observe: Observer, interrupt: Interrupt | None,
        cache: Cache | None,
    ) -> None:
        super().__init__(program, question.configurations(program), question.limits, observe, interrupt)
        self.question = question
        self.cache = cache
        self._tried = cache is None  # what the cache has

    def answer(self, until: float | None = None) -> Answer | None:
        found = None
        if self.cache is not None and not self._tried:
            found = self.cache.recall(self.question, self.program, self.interrupt)
            self._tried = True
        if found is None:
            found = super().answer(until)
        if found is not None:
            if self.cache is not None:
                self.cache.keep(self.question, found)
            found.property_name = self.question.property
        return found

    def given_up(self) -> Answer:
        found = super().given_up()
        found.property_name = self.question.property
        return found


class BareModel(Program):
    """A model that was built in Python: its own semantics is the source's."""

    language = "python"

    def replay(self, trace: Trace, budget: Budget | None = None) -> list[str]:
        from revet.checker.replay import replay

        replay(self.model, trace)
        return [f"run of {len(trace)} steps replayed on the model"]


def as_program(
    what: Any, language_options: Mapping[str, Any] | None = None, property: str | None = None
) -> Program:
    """A program from a path, from the paths of its files or from a model built in Python."""
    if isinstance(what, (str, os.PathLike)):
        what = [what]
    if isinstance(what, (list, tuple)):
        others = check.__kwdefaults__ or ()  # the other keywords that a caller may have meant
        return load_files([os.fspath(path) for path in what], language_options, property, others)

    if language_options:
        name = next(iter(language_options))
        raise UsageError(f"check() has no parameter {name}, and a model has no options of a language")
    if isinstance(what, Model):
        what = BareModel(what)
    if not isinstance(what, Program):
        raise UsageError(f"cannot check a {type(what).__name__}: give a path or a model")
    return what if property is None else what.restricted_to(property)
