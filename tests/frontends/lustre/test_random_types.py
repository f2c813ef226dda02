"""Random programs over the types of KIND 2's version 3: the interpreter and the transition system agree."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from revet.frontends.kit.deep import at_any_depth
from revet.frontends.lustre import read
from revet.frontends.lustre.interpret import Machine
from revet.frontends.lustre.values import Data
from tests.frontends.lustre.test_random_programs import Executed

STEPS = 6
TYPES = {
    "int": "int", "bool": "bool", "light": "light", "nibble": "uint<4>", "signed": "sint<4>",
    "pair": "[int, bool]", "row": "int^3", "tree": "shape", "bag": "set<int>", "book": "map<int, bool>",
    "pack": "set<[sint<4>, light]>", "index": "map<sint<4>, int>",
}
CONNECTIVES = ("and", "or", "xor", "=>", "and then", "==>")
INPUTS = ("int", "bool", "light", "nibble", "signed", "pair", "row", "tree")
HEADER = """\
type light = enum { red, green, off };
datatype shape = Point | Disc (radius: int) | Box (width: int, solid: bool);
function twice(x: int) returns (y: int); let y = x + x; tel
node last<T>(x, first: T) returns (y: T); let y = first -> pre x; tel
"""


class Writer:
    """Draws expressions; ``names`` are the streams that can be read within the instant, by kind."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.names: dict[str, list[str]] = {kind: [] for kind in TYPES}

    def expression(self, kind: str, depth: int, lazy: bool = False) -> str:
        if depth <= 0 or self.random.random() < 0.15:
            return self.atom(kind)

        def sub(wanted: str, inner_lazy: bool = False) -> str:
            return self.expression(wanted, depth - 1, lazy or inner_lazy)

        tree = self.atom("tree") if lazy else sub("tree")  # what is matched in a branch has no memory
        shapes = [
            lambda: f"(if {sub('bool')} then {sub(kind)} else {sub(kind)})",
            lambda: f"(when {sub('bool')} then {sub(kind, True)} else {sub(kind, True)})",
            lambda: f"(match {tree} with | Disc(r) : {sub(kind, True)} | _ : {sub(kind, True)} end)",
            lambda: f"({sub(kind)} -> pre {sub(kind)})",
            lambda: f"({sub(kind)} -> {sub(kind)})",
            *[lambda: self.own(kind, sub, tree)] * 3,
        ]
        if not lazy:
            shapes.append(lambda: f"last({sub(kind)}, {sub(kind)})")
        return self.random.choice(shapes)()

    def atom(self, kind: str) -> str:
        if self.names[kind] and self.random.random() < 0.7:
            return self.random.choice(self.names[kind])
        number = self.random.randint(0, 3)
        return {
            "int": str(number), "bool": self.random.choice(["true", "false"]),
            "light": self.random.choice(["red", "green", "off"]), "nibble": f"(uint@<4> {number + 12})",
            "signed": f"(sint@<4> {number + 5})",
            "pair": f"'({number}, true)", "row": f"[{number}, 1, 2]",
            "tree": self.random.choice(["Point", f"Disc({number})", f"Box({number}, false)"]),
            "bag": self.random.choice(["{}@<int>", f"{{ {number}, 1 }}"]),
            "book": self.random.choice(["map[]@<int, bool>", f"map[{number} := true]"]),
            "pack": self.random.choice(["{}@<[sint<4>, light]>", f"{{ '(sint@<4> {number + 5}, off) }}"]),
            "index": self.random.choice(["map[]@<sint<4>, int>", f"map[sint@<4> {number + 5} := 7]"]),
        }[kind]

    def own(self, kind: str, sub: Any, tree: str) -> str:
        """What the kind's own operators yield."""
        pick = self.random.choice
        match kind:
            case "int":
                return pick([
                    f"({sub('int')} {pick('+-*')} {sub('int')})", f"{sub('pair')}[0]", f"twice({sub('int')})",
                    f"{sub('row')}[{pick('012')}]", f"(int {sub('nibble')})", f"(- {sub('int')} mod 3)",
                    f"(int {sub('signed')})", f"({sub('int')} div {pick(['2', '(-3)'])})",
                    f"{sub('index')}[{sub('signed')}]",
                    f"(match {tree} with | Disc(r) : r | Box(w, _) : w | Point : 0 end)",
                ])
            case "bool":
                return pick(
                    [
                        f"({sub('int')} {pick(['<', '<=', '=', '<>'])} {sub('int')})",
                        f"(not {sub('bool')})",
                        f"({sub('bool')} {pick(CONNECTIVES)} {self.atom('bool')})",
                        f"({sub('light')} = {sub('light')})",
                        f"({sub('tree')} = {sub('tree')})",
                        f"{pick(['Point', 'Disc', 'Box'])}?({sub('tree')})",
                        f"({sub('row')} = {sub('row')})",
                        f"({sub('int')} in {sub('bag')})",
                        f"({sub('bag')} = {sub('bag')})",
                        f"{sub('pair')}[1]",
                        f"({sub('int')} in {sub('book')})",
                        f"{sub('book')}[{sub('int')}]",
                        f"('({sub('signed')}, {sub('light')}) in {sub('pack')})",
                        f"({sub('pack')} = {sub('pack')})",
                        f"({sub('signed')} in {sub('index')})",
                        f"({sub('nibble')} > {sub('nibble')})",
                        f"({sub('signed')} {pick(['<', '>=', '='])} {sub('signed')})",
                        f"(forall (q: subrange [0, 2] of int) {self.atom('row')}[q] < 2)",
                        f"(exists (q: light) q = {self.atom('light')})",
                    ]
                )
            case "nibble":
                return pick([
                    f"({sub('nibble')} {pick(['+', '-', '*', '&&', '||', 'div', 'mod'])} {sub('nibble')})",
                    f"(!{sub('nibble')})", f"(uint@<4> {sub('int')})", f"({sub('nibble')} lsh (uint@<4> 1))",
                    f"({sub('nibble')}[3:2] ++ {sub('nibble')}[1:0])", f"(uint@<4> {sub('signed')})",
                    f"({sub('nibble')} rsh (uint@<4> {pick('125')}))",
                ])
            case "signed":
                return pick([
                    f"({sub('signed')} {pick(['+', '-', '*', '&&', '||', 'div', 'mod'])} {sub('signed')})",
                    f"(!{sub('signed')})", f"(- {sub('signed')})", f"(sint@<4> {sub('int')})",
                    f"(sint@<4> {sub('nibble')})", f"({sub('signed')} rsh (uint@<4> {pick('125')}))",
                    f"({sub('signed')} lsh (uint@<4> {pick('125')}))",
                ])
            case "pair":
                return pick([f"'({sub('int')}, {sub('bool')})", f"{sub('pair')}[1 := {sub('bool')}]"])
            case "row":
                return pick(
                    [
                        f"[{sub('int')}, {sub('int')}, {sub('int')}]",
                        f"{sub('row')}[{pick('012')} := {sub('int')}]",
                        f"({sub('int')}^3)",
                    ]
                )
            case "tree":
                return pick([f"Disc({sub('int')})", f"Box({sub('int')}, {sub('bool')})"])
            case "bag":
                return f"({sub('bag')} {pick('+-')} {{ {sub('int')}, {sub('int')} }})"
            case "pack":
                return f"({sub('pack')} {pick('+-')} {{ '({sub('signed')}, {sub('light')}) }})"
            case "index":
                return f"{sub('index')}[{sub('signed')} := {sub('int')}]"
            case "book":
                return pick(
                    [f"{sub('book')}[{sub('int')} := {sub('bool')}]", f"({sub('book')} - {{ {sub('int')} }})"]
                )
        return self.atom(kind)

    def program(self) -> str:
        inputs = [(f"i_{kind}", kind) for kind in INPUTS]
        for name, kind in inputs:
            self.names[kind].append(name)
        equations = []
        kinds = list(TYPES)
        declared = []
        for number in range(self.random.randint(5, 10)):
            kind = self.random.choice(kinds)
            equations.append(f"  v{number} = {self.expression(kind, 3)};")
            declared.append(f"v{number}: {TYPES[kind]};")
            self.names[kind].append(f"v{number}")
        shown = "; ".join(f"{name}: {TYPES[kind]}" for name, kind in inputs)
        body = "\n".join(equations)
        head = f"{HEADER}node main({shown}) returns (o: int);\nvar {' '.join(declared)}\n"
        return f"{head}let\n{body}\n  o = 0;\ntel\n"


def drawn(kind: str, random: Random) -> Any:
    number = random.randint(-3, 3)
    match kind:
        case "bool":
            return number > 0
        case "light":
            return number % 3
        case "nibble":
            return random.randint(0, 15)
        case "signed":
            return random.randint(-8, 7)
        case "pair":
            return (number, random.random() < 0.5)
        case "row":
            return (number, random.randint(-3, 3), 1)
        case "tree":
            return random.choice([Data(0, ()), Data(1, (number,)), Data(2, (number, True))])
    return number


def shape_terms(value: Any) -> Any:
    """A value as the lowering lays it out: the fields that a datatype's value does not have are zero."""
    if isinstance(value, Data):
        disc = value.fields if value.constructor == 1 else (0,)
        box = value.fields if value.constructor == 2 else (0, False)
        return (value.constructor, (), disc, box)
    return value


@at_any_depth
def compare(seed: int, folder: Path) -> int:
    random = Random(seed)
    text = Writer(random).program()
    path = folder / "types.lus"
    path.write_text(text)
    compared = 0
    program = read(path, "main")
    machine, system = Machine(program, program.tops[0]), Executed(program)
    for instant in range(STEPS):
        inputs = {f"i_{kind}": drawn(kind, random) for kind in INPUTS}
        interpreted = machine.step(inputs)
        executed, _ = system.step({name: shape_terms(value) for name, value in inputs.items()})
        assert executed == interpreted, f"seed {seed}, instant {instant}\n{text}"
        compared += len(executed)
    return compared


@pytest.mark.parametrize("block", range(4))
def test_random_programs(block: int, tmp_path: Path) -> None:
    assert sum(compare(seed, tmp_path) for seed in range(20 * block, 20 * block + 20)) > 20 * STEPS * 10


@pytest.mark.long
@pytest.mark.parametrize("block", range(30))
def test_many_random_programs(block: int, tmp_path: Path) -> None:
    for seed in range(10_000 + 100 * block, 10_100 + 100 * block):
        compare(seed, tmp_path)
