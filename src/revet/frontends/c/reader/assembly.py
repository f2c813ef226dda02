"""Inline assembly: what GNU C says that it may change, and nothing about what it does.

clang's tree has the operands only; which of them are outputs, and what else is clobbered, stands in the text
that clang prints. An empty template is a barrier for optimisers: what it reads and writes (``"+r"``) keeps
its value. Any other one gives its outputs any value and, where it clobbers memory, all numbers there; a run
that depends on one counts only if the compiled program shows it. Instructions that are known to leave memory
alone change none, whatever they clobber.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from revet.frontends.c import ast
from revet.frontends.c.clang.nodes import Node
from revet.frontends.c.library.conventions import ANYTHING
from revet.frontends.c.types import Floating, Function, Int

if TYPE_CHECKING:
    from revet.frontends.c.reader.unit import UnitReader

OUTPUTS_ONLY = "inline assembly changes nothing but its outputs, which have any value"
MEMORY = "inline assembly that clobbers memory gives any value to its outputs and to all numbers in memory, \
which others see; pointers and what is const stay as they are, and it goes on behind it"
_HEAD = re.compile(rb"asm (?:volatile )?\(")
_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|/\*.*?\*/|//[^\n]*|::|[][(){}:,]|[^][(){}:,"/]+|/', re.S)
_STRING = re.compile(rb'\s*(?:\[\s*\w+\s*\]\s*)?"((?:[^"\\]|\\.)*)"')
# Instructions that change neither memory nor what a program can see, and the words that may follow them:
# fences, hints, waiting for interrupts and switching them, reading counters (of x86, ARM and RISC-V).
_INSTRUCTION = re.compile(
    rb"(?:lock\s*)?(?:rep\s*)?"
    rb"(?:nop|pause|[mls]fence|wait|yield|hlt|cli|sti|cpuid|rdtscp?|wfi|wfe|sevl?|hint\s+#?\d+"
    rb"|(?:dmb|dsb|isb)(?:\s+(?:sy|st|ld|ish|ishst|ishld|nsh|nshst|osh|oshst))?"
    rb"|cps(?:id|ie)\s+[iaf]+|fence(?:\.i|\s+[iorw]+\s*,\s*[iorw]+)?|rep)"
)


def assembly(unit: UnitReader, node: Node, span: ast.Span) -> ast.Stmt:
    """The statement as assignments of any value to its outputs."""
    parts = _parts(unit.expanded.text(node) or b"")
    if parts is None or len(parts) > 4:
        raise unit.unsupported(node, "this inline assembly is not modelled")
    template = b",".join(parts[0]).strip()[1:-1]  # one string: clang joins what stands side by side
    constraints = [_STRING.match(part) for part in parts[1]] if len(parts) > 1 else []
    clobbers = b" ".join(parts[3]) if len(parts) > 3 else b""
    empty = not template.strip()
    quiet = empty or _is_quiet(template)
    memory = b'"memory"' in clobbers and not quiet
    if None in constraints or len(node.inner) < len(constraints):
        raise unit.unsupported(node, "this inline assembly is not modelled")
    steps: list[ast.Stmt] = [ast.Asm(span, memory)]
    for constraint, operand in zip(constraints, node.inner, strict=False):
        assert constraint is not None
        if not (empty and constraint[1].startswith(b"+")):
            steps.append(_any(unit, operand, span))
    if not empty or len(steps) > 1:
        unit.linkage.note(MEMORY if memory else OUTPUTS_ONLY, span.start)
    for operand in node.inner[len(constraints) :]:
        steps.insert(0, ast.Evaluate(unit.expressions.read(operand), span))
    return ast.Block(tuple(steps), span)


def _is_quiet(template: bytes) -> bool:
    """Are all its instructions among those that leave memory alone?"""
    lines = re.split(rb"\\n|\\t|;|\n", template)
    return all(_INSTRUCTION.fullmatch(line.strip().lower()) for line in lines if line.strip())


def _any(unit: UnitReader, operand: Node, span: ast.Span) -> ast.Stmt:
    target = unit.expressions.read(operand)
    at = span.start
    if not isinstance(target.type, Int | Floating):
        what = f"inline assembly with an output of type {target.type} is not modelled"
        raise unit.unsupported(operand, what)
    drawn = ast.Call(ast.FunctionRef(ANYTHING, Function(target.type, ()), at), (), target.type, at)
    return ast.Evaluate(ast.Assign(target, drawn, target.type, at), span)


def _parts(text: bytes) -> list[list[bytes]] | None:
    """The template, outputs, inputs, clobbers and labels, each split at its commas; None for another text."""
    head = _HEAD.match(text)
    if head is None:
        return None
    found: list[list[bytes]] = [[b""]]
    depth = 0
    for token in _TOKEN.finditer(text, head.end()):
        sign = token[0]
        if sign in b")]}" and depth == 0:
            return [[part for part in one if part.strip()] for one in found]
        depth += (sign in b"([{") - (sign in b")]}")
        if depth == 0 and sign in (b":", b"::"):
            found += [[b""] for _ in sign]
        elif depth == 0 and sign == b",":
            found[-1].append(b"")
        elif not sign.startswith((b"/*", b"//")):
            found[-1][-1] += sign
    return None
