"""``load``: what the registry of front ends calls for C files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from revet.errors import UsageError
from revet.frontends.c.deep import with_deep_stack
from revet.frontends.c.lower.procedures import has_procedures, lower_procedures
from revet.frontends.c.lower.program import lower
from revet.frontends.c.options import Options
from revet.frontends.c.parse import parse_texts
from revet.frontends.c.preprocess import preprocess
from revet.frontends.c.task import read_task, settings
from revet.frontends.program import Program
from revet.model.procedures import Procedures

if TYPE_CHECKING:
    from revet.frontends.c.evidence import Evidence


def load(paths: Sequence[Path], options: Mapping[str, Any] | None = None) -> Program:
    """C files, or one SV-COMP task definition (``.yml``), whose settings the options override."""
    given = {name: value for name, value in (options or {}).items() if value is not None}
    if paths[0].suffix in (".yml", ".yaml"):
        if len(paths) > 1:
            raise UsageError("give one task definition at a time")
        task = read_task(paths[0])
        chosen = Options.from_mapping({**settings(task, given.get("property")), **given})
        program = with_deep_stack(lambda: _load(list(task.files), chosen))
        wanted = task.property(chosen.property)
        program.extras["expected"] = wanted.expected if wanted is not None else None
        return program
    chosen = Options.from_mapping(given)
    return with_deep_stack(lambda: _load(list(paths), chosen))


def _load(paths: list[Path], options: Options) -> Program:
    model = options.model()
    tree = parse_texts([preprocess(path, model) for path in paths], model, options.approximate)
    lowered = lower(tree, options)

    @cache
    def evidence() -> Evidence:
        # The interpreter, the harness and the witnesses cost a quarter of the start-up time, and
        # only an answer needs them.
        from revet.frontends.c.evidence import Evidence

        return Evidence(lowered, tree, options.property, options.entry, options.errors)

    @cache
    def procedures() -> Procedures:
        return with_deep_stack(lambda: lower_procedures(tree, options, lowered.arithmetic))

    return Program(
        lowered.cfa,
        "C",
        tuple(paths),
        lambda trace: evidence().replay(trace),
        lowered.assumptions,
        lambda trace: evidence().render_trace(trace),
        lambda certificate: evidence().render_certificate(certificate),
        lowered.precise,
        extras={"c": lowered, "tree": tree, "evidence": evidence},
        open_ends=lowered.open_ends,
        warm=evidence,
        procedures=procedures if has_procedures(tree, options) else None,
        replay_within=lambda trace, budget: evidence().replay(trace, budget),
        source_run=lambda trace: evidence().source_run(trace),
        explore=lambda wanted, budget, native: evidence().explore(wanted, budget, native),
        only_run=lambda budget: evidence().only_run(budget),
        source_invariants=lambda certificate: evidence().source_invariants(certificate),
    )
