"""Random Boogie programs whose runs can all be tried: variables hold 0, 1 or 2, and every run ends.

What is drawn is confined by ``where`` clauses or ``requires`` (an entry's globals by one or the other, for
the lowering treats the two differently), values stay small because everything assigned is taken modulo
3, loops count down, and calls go to procedures further down in the file, or recurse with a smaller number.
"""

from __future__ import annotations

import random

SMALL = "0 <= {0} && {0} < 3"


class Generator:
    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.started = self.rng.random() < 0.3  # a program with ULTIMATE.start
        self.by_where = self.rng.random() < 0.5
        self.procedures = [f"p{number}" for number in range(self.rng.randint(1, 3))]
        self.counter = 0

    def program(self) -> str:
        where = f" where {SMALL.format('g')}" if self.by_where else ""
        lines = [f"var g: int{where};", "type t; const unique a, b: t; const c: int; axiom 0 <= c && c < 3;"]
        lines.append("function next(x: int) returns (int) { (x + 1) mod 3 }")
        lines.append(
            f"procedure outside(x: int) returns (r: int where {SMALL.format('r')}); modifies g;\n"
            f"  requires x < 2; ensures r {self.pick('!=', '<=', '>=')} x; ensures g == old(g) || g == 1;"
        )
        for position, name in enumerate(self.procedures):
            lines.append(self._procedure(name, self.procedures[position + 1 :]))
        if self.started:
            body = f"g := {self.rng.randint(0, 2)}; call r := {self.procedures[0]}(1, 2);"
            lines.append(f"procedure ULTIMATE.start() modifies g; {{ var r: int; {body} }}")
        return "\n".join(lines)

    def pick(self, *options: str) -> str:
        return self.rng.choice(options)

    # ---- expressions ------------------------------------------------------------------------

    def value(self, depth: int = 2) -> str:
        if depth == 0 or self.rng.random() < 0.3:
            return self.pick("g", "x", "y", "r", "c", str(self.rng.randint(0, 2)), "m[0]")
        left, right = self.value(depth - 1), self.value(depth - 1)
        return self.pick(
            f"({left} + {right})", f"({left} - {right})", f"next({left})", "old(g)",
            f"({left} mod (1 + {right} mod 3))", f"({left} div (-1 - {right} mod 3))", f"m[{left} mod 3]",
            f"(if {self.condition(0)} then {left} else {right})", f"m[1 := {left}][{right} mod 3]",
        )

    def condition(self, depth: int = 1) -> str:
        one, two = self.value(depth), self.value(depth)
        simple = self.pick(*(f"{one} {operator} {two}" for operator in ("==", "<", "<=", "!=")), "k == a")
        if depth == 0 or self.rng.random() < 0.6:
            return simple
        other = self.condition(0)
        return self.pick(f"({simple} || {other})", f"!({simple})", f"({simple} ==> {other})")

    # ---- statements -------------------------------------------------------------------------

    def _procedure(self, name: str, callees: list[str]) -> str:
        confined = [SMALL.format(x) for x in ("x", "y")] + ([] if self.by_where else [SMALL.format("g")])
        requires = " ".join(f"requires {clause};" for clause in confined)
        if self.rng.random() < 0.3:
            requires += f" {self.pick('', 'free ')}requires x {self.pick('<=', '!=')} y;"
        ensures = ""
        if self.rng.random() < 0.4:
            promise = self.pick("r >= 0", "g == old(g)", "r != x", "g < 3")
            ensures = f"{self.pick('', 'free ')}ensures {promise};"
        recursive = [name] if self.rng.random() < 0.3 else []
        body = self.block(3, [*callees, *recursive], name)
        return (
            f"procedure {name}(x: int, y: int) returns (r: int where {SMALL.format('r')}) modifies g;\n"
            f"  {requires} {ensures}\n"
            f"{{ var m: [int]int; var i: int where i == 0; var k: t where k == a || k == b;\n"
            f"  m[0] := 0; m[1] := 1; m[2] := c;\n{body}\n}}"
        )

    def block(self, depth: int, callees: list[str], own: str) -> str:
        return "\n".join(self.statement(depth, callees, own) for _ in range(self.rng.randint(1, 3)))

    def statement(self, depth: int, callees: list[str], own: str) -> str:
        small = f"({self.value()}) mod 3"
        kind = self.rng.random()
        if kind < 0.25 or depth == 0:
            return self.pick(
                f"r := {small};", f"g := {small};", f"g, r := r, {small};", f"m[g mod 3] := {small};",
                f"m[r mod 3], g := {small}, r;", "havoc r;" if self.rng.random() < 0.5 else "havoc k;",
            )
        if kind < 0.4:
            if self.rng.random() < 0.5:
                return f"assume {self.condition()};"
            likely = self.pick("r < 3", "g >= 0", "m[0] + m[1] < 5", "x <= 2 || y == g", "k == a || k == b")
            return f"assert {likely if self.rng.random() < 0.7 else self.condition()};"
        if kind < 0.55:
            test = self.pick("*", self.condition())
            inside = self.block(depth - 1, callees, own)
            return f"if ({test}) {{ {inside} }} else {{ {self.block(depth - 1, callees, own)} }}"
        if kind < 0.7:
            return self._loop(depth, callees, own)
        if kind < 0.8:
            self.counter += 1
            here, there, end = (f"l{self.counter}{mark}" for mark in "abc")
            one, two = self.block(depth - 1, [], own), self.block(depth - 1, [], own)
            return f"goto {here}, {there};\n{here}: {one}\ngoto {end};\n{there}: {two}\n{end}:"
        if kind < 0.9 and callees:
            return self._call(callees, own)
        return f"call r := outside({self.pick('x', 'g', '0', 'y mod 2')});"

    def _loop(self, depth: int, callees: list[str], own: str) -> str:
        """``i`` counts up to 2; inside, no other loop would leave it alone, so there is none."""
        self.counter += 1
        test = self.pick("i < 2", "i < x", f"i < 2 && {self.condition(0)}")
        invariant = self.pick("", "", "invariant i <= 2;", "invariant r < 3;", "free invariant g != 7;")
        inside = " ".join(self.statement(0, [], own) for _ in range(2))
        leave = f"if ({self.condition(0)}) {{ break; }}" if self.rng.random() < 0.3 else ""
        return f"i := 0; while ({test}) {invariant} {{ {inside} {leave} i := i + 1; }}"

    def _call(self, callees: list[str], own: str) -> str:
        callee = self.rng.choice(callees)
        if callee == own:
            return f"if (x > 0) {{ call r := {own}(x - 1, {self.pick('y', 'r', '*')}); }}"
        first = self.pick("x", "g", "r", "*")
        result = self.pick("r", "g", "r")
        return f"call {result} := {callee}({first}, {self.pick('y', '(g + 1) mod 3')});"
