"""One random construct of C17 a program: what the compiled program computes is never called a violation.

The compiler is the judge, with its sanitizer: a program with undefined behaviour is left out.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from construct_grammar import Grammar
from differential_automaton import final_state

import revet
from revet.budget import Budget
from revet.errors import InputError, RevetError
from revet.frontends.c import load
from revet.frontends.c.clang.run import command
from revet.frontends.c.types import LP64
from revet.model.execute import draws

CC = shutil.which("gcc") or shutil.which("cc")
PRINT = """
extern int printf(const char *, ...);
int main(void) { construct(); printf("%lld\\n", result); return 0; }
"""
CHECK = """
extern void reach_error(void);
int main(void) {{ construct(); if (result {comparison} {observed}LL) reach_error(); return 0; }}
"""


def observed(folder: Path, text: str) -> int | None:
    """What the compiled program computes; None if it does not compile or does something undefined."""
    assert CC is not None
    source, program = folder / "run.c", folder / "run"
    source.write_text(text + PRINT)
    flags = ["-w", "-O0", "-std=gnu17", "-fsanitize=undefined", "-fno-sanitize-recover=all"]
    built = subprocess.run([CC, *flags, source, "-o", program], capture_output=True, timeout=120, check=False)
    if built.returncode:
        return None
    ran = subprocess.run([program], capture_output=True, text=True, timeout=60, check=False)
    return int(ran.stdout) if ran.returncode == 0 else None


def agreed(folder: Path, text: str) -> int | None:
    """What it computes compiled by the system's compiler and by the one that Revet reads with; None if these
    disagree, as they do about layouts with several attributes at once."""
    value = observed(folder, text)
    source, program = folder / "run.c", folder / "other"
    reading = [part for part in command(LP64, [], str(folder)) if part != "-fsyntax-only"]
    assert CC is not None
    subprocess.run([*reading, "-w", "-c", source, "-o", folder / "run.o"], check=True, timeout=120)
    link = [CC, str(folder / "run.o"), "-o", str(program)]
    linked = subprocess.run(link, capture_output=True, timeout=120, check=False)
    if value is None or linked.returncode:
        return None
    ran = subprocess.run([program], capture_output=True, text=True, timeout=60, check=False)
    return value if ran.returncode == 0 and int(ran.stdout) == value else None


def misunderstood(folder: Path, seed: int, kind: str) -> str | None:
    """Where the interpreter, or the automaton, computes something else than the compiled program: without an
    engine or a compiler that might make an *unknown* of it. Every way to keep memory is tried."""
    text = Grammar(seed).program(kind)
    value = agreed(folder, text)
    if value is None or value == -(2**63):
        return None
    path = folder / f"p{seed}.c"
    path.write_text(text + CHECK.format(comparison="!=", observed=value))
    for chosen in ({}, {"property": "assertions,memory"}):
        try:
            source = load([path], {"data_model": "lp64", **chosen})
            run = source.only_run(Budget(60))
        except RevetError:
            continue  # refused
        if run.ended == "error" and not run.undefined and not run.choices:
            return f"{kind} {seed}: the interpreter disagrees\n{path.read_text()}"
        lowered = source.lowered
        drawn = any(draws(edge.statements) for edge in lowered.cfa.edges)
        try:
            end = final_state(lowered)[0]
        except AssertionError:
            if drawn:
                continue  # of what zeros, drawn for everything, may lead to
            return f"{kind} {seed}: the automaton is stuck\n{path.read_text()}"
        if end in lowered.cfa.errors and not drawn:
            return f"{kind} {seed}: the automaton comes to {end}\n{path.read_text()}"
    return None


RECORDS = ("construct_layout", "construct_record_value", "construct_bytes")


@pytest.mark.skipif(CC is None, reason="no C compiler")
@pytest.mark.parametrize("kind", RECORDS)
def test_records_are_understood(tmp_path: Path, kind: str) -> None:
    problems = [found for seed in range(10) if (found := misunderstood(tmp_path, seed, kind))]
    assert not problems, "\n".join(problems)


@pytest.mark.long
@pytest.mark.skipif(CC is None, reason="no C compiler")
@pytest.mark.parametrize("kind", RECORDS)
def test_many_records_are_understood(tmp_path: Path, kind: str) -> None:
    problems = [found for seed in range(100, 600) if (found := misunderstood(tmp_path, seed, kind))]
    assert not problems, "\n".join(problems)


def contradicted(folder: Path, seed: int) -> str | None:
    """What Revet says against the compiled program, if it does."""
    text = Grammar(seed).program()
    value = observed(folder, text)
    if value is None or value == -(2**63):
        return None
    for comparison, wrong in (("!=", "unsafe"), ("==", "safe")):
        path = folder / f"p{seed}.c"
        path.write_text(text + CHECK.format(comparison=comparison, observed=value))
        try:
            answer = revet.check(
                path, engine="bmc", timeout=8, data_model="lp64", property="assertions",
                validate_translation="off",  # the compiled program is asked here
            )
        except InputError:
            return None  # refused
        if answer.status == wrong:
            return f"seed {seed}: {answer.status} with result {comparison} {value}\n{path.read_text()}"
    return None


@pytest.mark.skipif(CC is None, reason="no C compiler")
@pytest.mark.parametrize("seed", range(40))
def test_one_construct(tmp_path: Path, seed: int) -> None:
    problem = contradicted(tmp_path, seed)
    assert problem is None, problem


@pytest.mark.long
@pytest.mark.skipif(CC is None, reason="no C compiler")
@pytest.mark.parametrize("first", range(1000, 4000, 100))
def test_many_constructs(tmp_path: Path, first: int) -> None:
    problems = [found for seed in range(first, first + 100) if (found := contradicted(tmp_path, seed))]
    assert not problems, "\n".join(problems)


def test_every_construct_comes_up_and_compiles(tmp_path: Path) -> None:
    """The generator is worth something only if most programs are defined."""
    if CC is None:
        pytest.skip("no C compiler")
    kinds = [name for name in dir(Grammar) if name.startswith("construct_")]
    for kind in kinds:
        programs = (Grammar(seed).program(kind) for seed in range(20))
        assert any(observed(tmp_path, text) is not None for text in programs), kind
