"""Random programs of the small language."""

from __future__ import annotations

import random


def random_program(rng: random.Random) -> str:
    lines: list[str] = []
    for _ in range(rng.randint(1, 5)):
        _statement(rng, lines, 0, 3)
    lines.append(f"assert({_condition(rng, 2)});")
    return "\n".join(lines) + "\n"


def _statement(rng: random.Random, lines: list[str], indent: int, depth: int) -> None:
    kinds = ["assign"] * 5 + ["skip", "nondet", "assume", "assert"] + ["if", "while", "block"] * (depth > 0)
    pad = "  " * indent
    match rng.choice(kinds):
        case "assign":
            lines.append(f"{pad}{rng.choice('xyz')} = {_arithmetic(rng, 3)};")
        case "nondet":
            lines.append(f"{pad}{rng.choice('xyz')} = nondet();")
        case "skip":
            lines.append(f"{pad}skip;")
        case "assume":
            lines.append(f"{pad}assume({_condition(rng, 2)} || x < 3);")
        case "assert":
            lines.append(f"{pad}assert({_condition(rng, 2)} || y < 2);")
        case "if":
            lines.append(f"{pad}if ({_condition(rng, 2)}) {{")
            _body(rng, lines, indent, depth)
            if rng.random() < 0.5:
                lines.append(f"{pad}}} else {{")
                _body(rng, lines, indent, depth)
            lines.append(f"{pad}}}")
        case "while":
            lines.append(f"{pad}while ({_condition(rng, 2)}) {{")
            _body(rng, lines, indent, depth)
            lines.append(f"{pad}}}")
        case "block":
            lines.append(f"{pad}{{")
            _body(rng, lines, indent, depth)
            lines.append(f"{pad}}}")


def _body(rng: random.Random, lines: list[str], indent: int, depth: int) -> None:
    for _ in range(rng.randint(0, 2)):
        _statement(rng, lines, indent + 1, depth - 1)


def _arithmetic(rng: random.Random, depth: int) -> str:
    if depth == 0 or rng.random() < 0.3:
        return rng.choice(["x", "y", "z", "0", "1", "2", "7", "nondet()"])
    if rng.random() < 0.1:
        return f"-({_arithmetic(rng, depth - 1)})"
    return f"({_arithmetic(rng, depth - 1)} {rng.choice('+-*/%')} {_arithmetic(rng, depth - 1)})"


def _condition(rng: random.Random, depth: int) -> str:
    roll = rng.random()
    if depth == 0 or roll < 0.4:
        comparison = rng.choice(["<", "<=", ">", ">=", "==", "!="])
        return f"{_arithmetic(rng, 1)} {comparison} {_arithmetic(rng, 1)}"
    if roll < 0.5:
        return rng.choice(["*", "nondet()"])
    if roll < 0.6:
        return f"!({_condition(rng, depth - 1)})"
    return f"({_condition(rng, depth - 1)} {rng.choice(['&&', '||'])} {_condition(rng, depth - 1)})"
