"""Seeded faults in the translation of C, and who notices them.

A mutant is one edit of one line of ``frontends/c/lower``: an effect that is forgotten, a conversion that
is left out, operands or branches that change places, a condition that is turned round, a constant that
is off by one.
Only lines that translating the programs in ``translation/`` for assertions executes are edited, or those that
checking more than assertions adds. A mutant is noticed by

| who | how |
|---|---|
| the lowering | it refuses a program that it should translate, or raises an error |
| the validation | the model and the compiled program differ on one of the programs |
| the tests | those in ``TESTS`` fail |

Who is left over is said to be equivalent if ``equivalent_faults`` has it, with the reason: the edit changes
nothing that a program could observe. Otherwise nobody noticed it, and a test is missing. See
``scripts/mutate-lowering``.
"""

from __future__ import annotations

import argparse
import ast
import importlib.abc
import importlib.util
import os
import random
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any

from tests.frontends.c.equivalent_faults import EQUIVALENT

from revet.logic.sorts import BOOL, ArraySort, Sort
from revet.logic.values import ArrayValue, Value

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
LOWER = ROOT / "src" / "revet" / "frontends" / "c" / "lower"
PACKAGE = "revet.frontends.c.lower"
TESTS = (
    "test_lowered_values.py", "test_lowering.py", "test_differential.py", "test_evidence.py", "test_libc.py",
    "test_library_checks.py", "test_checks.py", "test_rounding.py",
)
TESTS_OF_CHECKS = (*TESTS, "test_memory_checks.py", "test_evaluation_order.py")
ASSERTIONS = "assertions"
NOBODY = "nobody"
SLOW = ("floats", "memory", "calls")
"""Programs whose validation takes long with bit-vectors."""
_SWAPPED = {  # functions, and which two arguments change places
    "branch": (1, 2), "ite": (1, 2), "copy": (0, 1), "store": (0, 1), "lt": (0, 1), "le": (0, 1),
    "minus": (0, 1), "sub": (0, 1), "div": (0, 1),
    "mod": (0, 1), "concat": (0, 1), "compare": (1, 2), "operate": (1, 2),
}
_REPLACED = {
    "plus": "minus", "minus": "plus", "and_": "or_", "or_": "and_", "lt": "le", "le": "lt",
    "sign_extend": "zero_extend", "zero_extend": "sign_extend", "shl": "lshr",
    "lshr": "shl", "ashr": "lshr", "mul": "plus",
}
_CONVERSIONS = ("convert", "truth", "wrap", "narrow", "promoted", "converted")
_EFFECTS = ("assign", "assume", "havoc", "store", "copy", "zero", "draw", "effect", "jump", "resume",
            "append", "assume_range", "initialise", "start", "lower", "settle")


@dataclass(frozen=True)
class Mutant:
    """One edit: ``kind`` in words, ``line`` of the module's file, ``number`` among the edits of that kind."""

    module: str
    kind: str
    line: int
    number: int

    def __str__(self) -> str:
        return f"{self.module}.py:{self.line}: {self.kind}"


class _Editor(ast.NodeTransformer):
    """Makes the edit with a given number, or counts those that there are."""

    def __init__(self, wanted: int = -1) -> None:
        self.found: list[tuple[str, int]] = []
        self._wanted = wanted

    def _here(self, kind: str, node: ast.AST) -> bool:
        self.found.append((kind, node.lineno))  # type: ignore[attr-defined]
        return len(self.found) - 1 == self._wanted

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.value, ast.Call) and _name(node.value) in _EFFECTS and self._here(
            f"no {_name(node.value)}()", node
        ):
            return ast.copy_location(ast.Pass(), node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        name = _name(node)
        places = _SWAPPED.get(name)
        if places is not None and len(node.args) > places[1] and self._here(f"{name}() swapped", node):
            one, two = places
            node.args[one], node.args[two] = node.args[two], node.args[one]
        if name in _REPLACED and isinstance(node.func, ast.Attribute) and self._here(
            f"{_REPLACED[name]}() for {name}()", node
        ):
            node.func.attr = _REPLACED[name]
        if name in _CONVERSIONS and node.args and self._here(f"no {name}()", node):
            return node.args[-1] if name == "convert" else node.args[0]
        return node

    def visit_If(self, node: ast.If) -> ast.AST:
        self.generic_visit(node)
        raises = any(isinstance(inner, ast.Raise) for inner in node.body)
        if not raises and self._here("if turned round", node):
            node.test = ast.copy_location(ast.UnaryOp(ast.Not(), node.test), node.test)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        if self._here("choice turned round", node):
            node.body, node.orelse = node.orelse, node.body
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if type(node.value) is int and self._here("a constant off by one", node):
            return ast.copy_location(ast.Constant(node.value + 1), node)
        return node


def _name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def mutants() -> Iterator[Mutant]:
    """All of them, in the order of the files and lines."""
    for file in sorted(LOWER.glob("*.py")):
        editor = _Editor()
        editor.visit(ast.parse(file.read_text()))
        for number, (kind, line) in enumerate(editor.found):
            yield Mutant(file.stem, kind, line, number)


def chosen(lines: dict[str, set[int]], count: int, seed: int) -> list[Mutant]:
    """Some of those on lines that are executed: one kind of edit after the other, lines at random."""
    groups: dict[str, list[Mutant]] = {}
    for mutant in mutants():
        if mutant.line in lines.get(mutant.module, ()):
            groups.setdefault(mutant.kind, []).append(mutant)
    generator = random.Random(seed)
    for group in groups.values():
        generator.shuffle(group)
    found: list[Mutant] = []
    while len(found) < count and any(groups.values()):
        for group in groups.values():
            if group and len(found) < count:
                found.append(group.pop())
    return found


# ---- a process with a mutant ------------------------------------------------------------------


class _Loader(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives the edited module to whoever imports it."""

    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant

    def find_spec(self, name: str, path: Any, target: ModuleType | None = None) -> Any:
        if name != f"{PACKAGE}.{self._mutant.module}":
            return None
        return importlib.util.spec_from_loader(name, self, origin=str(LOWER / f"{self._mutant.module}.py"))

    def exec_module(self, module: ModuleType) -> None:
        exec(edited(self._mutant), module.__dict__)


def edited(mutant: Mutant) -> CodeType:
    file = LOWER / f"{mutant.module}.py"
    tree = _Editor(mutant.number).visit(ast.parse(file.read_text()))
    return compile(ast.fix_missing_locations(tree), str(file), "exec")


def install(mutant: Mutant) -> None:
    """From now on, imports give the mutant."""
    sys.meta_path.insert(0, _Loader(mutant))


def programs() -> list[Path]:
    """Those whose translation faults are seeded in."""
    return sorted((HERE / "translation").glob("*.c"))


def all_programs() -> list[Path]:
    """Those that are validated: with what faults showed to be missing in the others."""
    return [*programs(), *sorted((HERE / "translation" / "further").glob("*.c"))]


def ones(sort: Sort) -> Value:
    """What variables hold before a program gives them a value, here: not the zeros that it may expect."""
    return ArrayValue(ones(sort.element)) if isinstance(sort, ArraySort) else True if sort is BOOL else 1


def _options(property: str) -> dict[str, str]:
    return {"property": property, "malloc": "if-too-large"}


def verdict(files: Sequence[Path], property: str = ASSERTIONS, seconds: float = 20.0) -> str:
    """What translating and validating the programs says, in this process: a name from the table above, a
    space and why; empty if nobody notices anything."""
    from revet.frontends.c.load import load
    from revet.frontends.c.property import ERROR_FUNCTIONS
    from revet.frontends.c.validation.validate import Validator

    for file, arithmetic in product(files, ("auto", "bv")):
        if arithmetic == "bv" and file.stem in SLOW:
            continue
        try:
            program = load([file], {**_options(property), "arithmetic": arithmetic})
            validator = Validator(program.tree, program.lowered, "main", ERROR_FUNCTIONS, ones)
            found = validator.validate(None, seconds)
        except Exception as problem:
            return f"lowering {file.stem}: {type(problem).__name__}: {problem}".splitlines()[0]
        if found.status == "different":
            return f"validation {file.stem}: {found.reason.partition('; please')[0]}"
        if found.status == "not validated" and "time" not in found.reason:
            return f"lowering {file.stem}: {found.reason}"
    return ""


def executed_lines(property: str = ASSERTIONS) -> dict[str, set[int]]:
    """Lines of the lowering that translating the programs executes."""
    from revet.frontends.c.load import load

    found: dict[str, set[int]] = {}
    folder = str(LOWER)

    def local(frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line":
            found.setdefault(Path(frame.f_code.co_filename).stem, set()).add(frame.f_lineno)
        return local

    def enter(frame: FrameType, event: str, argument: Any) -> Any:
        return local if frame.f_code.co_filename.startswith(folder) else None

    threading.settrace(enter)
    sys.settrace(enter)
    try:
        for file in programs():
            load([file], _options(property))
    finally:
        sys.settrace(None)
        threading.settrace(None)  # type: ignore[arg-type]
    return found


def judged(mutant: Mutant, with_tests: bool = True, property: str = ASSERTIONS) -> str:
    """Who notices a mutant; empty if nobody does. In processes of their own."""
    environment = {**os.environ, "REVET_MUTANT": f"{mutant.module} {mutant.number}"}
    command = [sys.executable, "-m", "tests.frontends.c.mutation", property]
    try:
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False
        )
    except subprocess.TimeoutExpired:
        return "lowering does not end"
    if done.returncode != 0:
        return f"lowering {done.stderr.strip().splitlines()[-1] if done.stderr.strip() else done.returncode}"
    if done.stdout.strip() or not with_tests:
        return done.stdout.strip()
    tests = [str(HERE / name) for name in (TESTS if property == ASSERTIONS else TESTS_OF_CHECKS)]
    options = ["-q", "-x", "-m", "not long", "-p", "tests.frontends.c.mutation"]
    command = [sys.executable, "-m", "pytest", *options, *tests]
    try:
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600, check=False
        )
    except subprocess.TimeoutExpired:
        return "tests do not end"
    if done.returncode == 0:
        return ""
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return f"tests {failed[0].partition(' - ')[0] if failed else done.returncode}"


def _installed() -> None:
    module, number = os.environ["REVET_MUTANT"].split()
    install(next(m for m in mutants() if (m.module, m.number) == (module, int(number))))


def excused(mutant: Mutant) -> tuple[str, str, str] | None:
    """The row of ``EQUIVALENT`` that is about a mutant, if there is one."""
    text = (LOWER / f"{mutant.module}.py").read_text()
    line = text.splitlines()[mutant.line - 1].strip()
    tree = _Editor(mutant.number).visit(ast.parse(text))
    edited = [
        node for node in ast.walk(tree)
        if isinstance(node, ast.stmt) and node.lineno <= mutant.line <= (node.end_lineno or 0)
    ][-1]
    for spelling in (line, ast.unparse(edited)):
        if (mutant.module, mutant.kind, spelling) in EQUIVALENT:
            return mutant.module, mutant.kind, spelling
    return None


def _row(mutant: Mutant, with_tests: bool, property: str) -> tuple[str, str]:
    """Who notices a mutant, and how, for people."""
    row = excused(mutant)
    if row is not None:
        return "equivalent", EQUIVALENT[row]
    who, _, why = (judged(mutant, with_tests, property) or NOBODY).partition(" ")
    return who, why.replace(f"{HERE}/", "").replace("|", "\\|")[:120]


def _arguments(purpose: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=purpose, formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="scripts/mutate-lowering [COUNT [SEED [FIRST [LAST]]]] [--quick] [--checks GROUPS] [--only …]",
    )
    parser.add_argument("count", nargs="?", type=int, default=100, help="how many faults are drawn (100)")
    parser.add_argument("seed", nargs="?", type=int, default=1, help="which ones (1)")
    parser.add_argument("first", nargs="?", type=int, default=1, help="of those: from this one on (1)")
    parser.add_argument("last", nargs="?", type=int, help="and up to this one (all)")
    parser.add_argument("--quick", action="store_true", help="only lowering and validation: no tests")
    parser.add_argument(
        "--checks", metavar="GROUPS", help="instead: in what checking these, too, adds to the translation"
    )
    parser.add_argument(
        "--only", nargs="+", metavar="PLACE", help="instead: all faults in these lines (statements.py:163)"
    )
    given = parser.parse_args()
    given.property = f"{ASSERTIONS},{given.checks}" if given.checks else ASSERTIONS
    return given


def _wanted(given: argparse.Namespace) -> list[tuple[int, Mutant]]:
    """The faults that are asked for, with their numbers."""
    if given.only:
        found = [mutant for mutant in mutants() if f"{mutant.module}.py:{mutant.line}" in given.only]
        return list(enumerate(found, 1))
    lines = executed_lines()
    if given.checks:
        more = executed_lines(given.property)
        lines = {module: more[module] - lines.get(module, set()) for module in more}
    found = chosen(lines, given.count, given.seed)
    return list(enumerate(found, 1))[given.first - 1 : given.last]


def main(purpose: str) -> int:
    """See ``scripts/mutate-lowering``, whose purpose this is."""
    given = _arguments(purpose)
    caught: Counter[str] = Counter()
    for number, mutant in _wanted(given):
        who, why = _row(mutant, not given.quick, given.property)
        caught[who] += 1
        print(f"| {number} | {mutant} | {who} | {why} |", flush=True)
    print(", ".join(f"{who} {number}" for who, number in caught.items()))
    return int(caught[NOBODY] > 0)


if "REVET_MUTANT" in os.environ:
    _installed()
if __name__ == "__main__":
    print(verdict(all_programs(), *sys.argv[1:]))
