"""Lists in the documentation are those of the code: what answers assume, options, engines, keys of JSON."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

ROOT = Path(__file__).parents[1]
C = ROOT / "src" / "revet" / "frontends" / "c"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

# ---- what an answer about C assumes ---------------------------------------------------------------------

_FORWARDED = {("lower/context.py", "text"), ("lower/program.py", "text")}  # noted elsewhere
_LISTS = {"entry/driver.py": "said", "entry/command_line.py": "said", "accepted.py": "listed"}


class _Module:
    """The sentences that a file of the front end notes; ``…`` stands for what is filled in."""

    def __init__(self, path: Path, constants: dict[str, list[ast.expr]]) -> None:
        self.name = path.relative_to(C).as_posix()
        self.tree = ast.parse(path.read_text(encoding="utf-8"))
        self.own, self.constants = dict(_assigned(self.tree.body)), constants
        for target, value in self.own.items():
            constants.setdefault(target, []).append(value)

    def sentences(self) -> Iterator[str]:
        for function in ast.walk(self.tree):
            if isinstance(function, ast.FunctionDef):
                local = dict(_assigned(list(ast.walk(function))))
                for expression in _noted(function, _LISTS.get(self.name)):
                    yield from self._texts(expression, local)

    def _texts(self, e: ast.expr, local: dict[str, ast.expr]) -> list[str]:
        match e:
            case ast.Constant(value=str(text)):
                return [text]
            case ast.JoinedStr(values=parts):
                return ["".join(str(p.value) if isinstance(p, ast.Constant) else "…" for p in parts)]
            case ast.IfExp():
                return self._texts(e.body, local) + self._texts(e.orelse, local)
            case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Dict(values=parts):
                return [text for part in parts for text in self._texts(part, local)]
            case ast.ListComp(elt=ast.Name()):  # lines that another function makes
                return []
            case ast.ListComp():
                return self._texts(e.elt, local)
            case ast.Subscript():
                return self._texts(e.value, local)
            case ast.Name(id=name) if name in local:
                return self._texts(local[name], {})
            case ast.Name(id=name) if name in self.own or name in self.constants:
                values = [self.own[name]] if name in self.own else self.constants[name]
                return [text for value in values for text in self._texts(value, {})]
            case ast.Name(id=name) if (self.name, name) in _FORWARDED:
                return []
            case ast.Call():  # a list that another function makes: its own are found there
                return []
        raise AssertionError(f"{self.name}:{e.lineno}: which sentence is {ast.unparse(e)}?")


def _assigned(body: list[ast.stmt] | list[ast.AST]) -> Iterator[tuple[str, ast.expr]]:
    for one in body:
        if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name):
            yield one.targets[0].id, one.value


def _noted(function: ast.FunctionDef, collected: str | None) -> Iterator[ast.expr]:
    """What is noted in calls, and what comes into the list of this name."""
    for one in ast.walk(function):
        match one:
            case ast.Call(func=ast.Attribute(attr="assumption" | "note"), args=[text, *_]):
                yield text
            case ast.Call(func=ast.Attribute(attr="setdefault" | "add", value=owner), args=[text, *_]):
                if ast.unparse(owner).endswith((".assumptions", ".approximated")):
                    yield text
            case ast.Call(func=ast.Attribute(attr="append", value=ast.Name(id=name)), args=[text]):
                if name == collected:
                    yield text
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name == collected:
                yield value
            case ast.AugAssign(target=ast.Name(id=name), value=value) if name == collected:
                yield value
            case ast.Return(value=ast.expr() as value) if function.name == "_compiled_as":
                yield value


def test_the_page_about_c_lists_every_assumption_and_no_other() -> None:
    constants: dict[str, list[ast.expr]] = {}
    modules = [_Module(path, constants) for path in sorted(C.rglob("*.py"))]
    noted = {text for module in modules for text in module.sentences() if text[0] != " "}  # no ends
    page = (ROOT / "docs" / "c.md").read_text(encoding="utf-8")
    section = page.partition("### The sentences\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (.+?) \| .+ \|$", section, re.M)[1:]
    listed = {row for row in rows if not set(row) <= {"-", "|"}}
    assert len(noted) > 40
    assert sorted(noted - listed) == [], "in the source, not on the page"
    assert sorted(listed - noted) == [], "on the page, not in the source"


# ---- options ------------------------------------------------------------------------------------------

_OTHERS = {  # options of other programs, of scripts, and KIND 2's beside ours
    "--help", "--nthreads", "--patience", "--quick", "--cache-sim", "--tool", "--cpu", "--plots", "--plot",
    "--wrap", "--checks",
}


def _options() -> set[str]:
    from revet.cli.commands import revet

    context = click.Context(revet)
    commands = [revet.get_command(context, name) for name in revet.list_commands(context)]
    parameters = [one for command in commands if command is not None for one in command.params]
    return {word for one in parameters for word in (*one.opts, *one.secondary_opts) if word[0] == "-"}


def test_every_option_is_explained_on_a_page() -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    said = set(re.findall(r"(?<![\w-])--?[a-zA-Z0-9][\w-]*", text))
    long = {word for word in _options() if word.startswith("--")}
    assert sorted(long - said) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_options_on_pages_exist(page: Path) -> None:
    if page.name == "lustre.md":
        pytest.skip("has KIND 2's options beside ours")
    said = set(re.findall(r"(?<![\w-])--[a-z][\w-]+", page.read_text(encoding="utf-8")))
    assert sorted(said - _options() - _OTHERS) == []


# ---- tables -------------------------------------------------------------------------------------------


def test_the_readme_and_the_index_have_every_engine() -> None:
    from revet.engines.registry import REGISTRY

    readme = (ROOT / "README.md").read_text(encoding="utf-8").partition("## Engines")[2].partition("\n## ")[0]
    assert sorted(re.findall(r"^\| `([\w-]+)` \|", readme, re.M)) == sorted(REGISTRY)
    index = (ROOT / "docs" / "engines" / "index.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^\| \[([\w-]+)\]", index, re.M)) == sorted(REGISTRY)


def test_commands_in_the_readme_exist() -> None:
    from revet.cli.commands import revet

    names = set(revet.list_commands(click.Context(revet)))
    rows = re.findall(r"^\| `revet (\w+)", (ROOT / "README.md").read_text(encoding="utf-8"), re.M)
    assert len(rows) > 15 and set(rows) <= names


@pytest.mark.parametrize("file", ["examples/spa/lock.spa", "examples/theta/overfull.cfa"])
def test_keys_of_the_json_answer_are_on_the_page(file: str) -> None:
    import revet
    from revet.report.data import answer_data

    page = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
    table = page.partition("| key | meaning |")[2].partition("\n\n")[0]
    known = {key for row in re.findall(r"^\| (`.+?`) \|", table, re.M) for key in re.findall(r"`(\w+)`", row)}
    data = answer_data(revet.check(ROOT / file, engine="bmc" if "over" in file else "pdr-cfa", timeout=120))
    assert set(data) - known == set()
