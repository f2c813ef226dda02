"""For mkdocs: ``<!-- options NAME -->`` in a page becomes the table of the engine's options.

The texts are the docstrings below the fields of the engine's ``Options``, so they are written once.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from typing import Any

from revet.driver.options import describe_options
from revet.engines.registry import engine


def on_page_markdown(markdown: str, **_: Any) -> str:
    return re.sub(r"<!-- options ([\w-]+) -->", lambda match: options_table(match[1]), markdown)


def options_table(name: str) -> str:
    info = engine(name)
    meanings = field_docstrings(info.load().Options)
    rows = [
        f"| `{option}` | {kind.replace('|', '&#124;')} | {default or '(none)'} | {meanings.get(option, '')} |"
        for option, default, kind in describe_options(info)
    ]
    if not rows:
        return "It has no options."
    return "\n".join(["| option (`-O name=value`) | values | default | meaning |", "|---|---|---|---|", *rows])


def field_docstrings(cls: type) -> dict[str, str]:
    """The string below each field, or the list ``name  text`` in the class's own docstring."""
    (body,) = ast.parse(textwrap.dedent(inspect.getsource(cls))).body
    assert isinstance(body, ast.ClassDef)
    found: dict[str, str] = {}
    for match in re.finditer(r"^``?([\w-]+)``?\s{2,}(.*(?:\n\s{6,}.*)*)", inspect.getdoc(cls) or "", re.MULTILINE):
        found[match[1]] = _plain(match[2])
    for field, text in zip(body.body, body.body[1:]):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
                found[field.target.id.replace("_", "-")] = _plain(str(text.value.value))
    return found


def _plain(text: str) -> str:
    return " ".join(text.split()).replace("``", "`").replace("|", "&#124;")
