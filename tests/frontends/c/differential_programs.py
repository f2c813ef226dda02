"""Random small C programs: loops, arrays, structures, pointers, functions, switches, gotos.

Every loop is bounded by a counter of its own, indices are masked, divisors are not zero, signed
arithmetic stays small; what undefined behaviour remains is filtered with the interpreter.
"""

from __future__ import annotations

import random

from differential_run import Case, interpreted, is_clean, parsed

from revet.frontends.c.types import DataModel

_TYPES = ("char", "unsigned char", "short", "unsigned short", "int", "unsigned int", "long long", "_Bool")
_ARRAY = 4  # elements of every array; indices are masked with _ARRAY - 1


_VIEWS = [
    "void *malloc(__SIZE_TYPE__);",
    "union { unsigned int w; unsigned char b[4]; short h[2]; } un = {0x12345678};",
    "unsigned char *cp = (unsigned char *)&ga[1]; static int dummy[4]; int *hp = dummy;",
    "static int h1(int x) { return x % 50 + 1; }",
    "static int h2(int x) { ga[0] = x; return x - 1; }",
    "static int (*fp)(int) = h1;",
    "static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }",
    "static struct s changed(struct s v) { v.a = v.a % 100 + 1; v.d[1]++; return v; }",
]


class Programs:
    """``pointers`` and ``structures`` switch the memory model on and off; ``views`` adds unions,
    bytes of integers, allocated memory, pointers to functions and as parameters, records by value."""

    def __init__(
        self,
        seed: object,
        *,
        pointers: bool = True,
        structures: bool = True,
        bits: bool = True,
        views: bool = False,
    ) -> None:
        self.rng = random.Random(f"programs {seed}")
        self.pointers = pointers
        self.structures = structures
        self.bits = bits
        self.views = views
        self.globals: list[tuple[str, str]] = []
        self.arrays: list[str] = []
        self.scalars: list[list[str]] = []  # by scope: names that can be read and written
        self.counter = 0
        self.functions: list[tuple[str, int]] = []
        self.loops = 0
        self.budget = 0

    def fresh(self, stem: str) -> str:
        self.counter += 1
        return f"{stem}{self.counter}"

    # ---- expressions ------------------------------------------------------------------------

    def name(self) -> str:
        return self.rng.choice([name for scope in self.scalars for name in scope])

    def place(self) -> str:
        rng = self.rng
        choice = rng.random()
        if self.arrays and choice < 0.25:
            return f"{rng.choice(self.arrays)}[{self.index()}]"
        if self.structures and choice < 0.35:
            return f"{rng.choice(('s1', 's2'))}.{rng.choice(('a', 'b', 'c', f'd[{self.index()}]', 'in.x'))}"
        if self.views and choice < 0.45:
            index = self.index()
            return rng.choice((
                "un.w", f"un.b[{index}]", f"un.h[{rng.randrange(2)}]", f"cp[{index}]", f"hp[{index}]",
            ))
        if self.pointers and choice < 0.5:
            return rng.choice(("*p", f"q[{self.index()}]", "sp->a", "sp->in.x"))
        return self.name()

    def index(self) -> str:
        if self.rng.random() < 0.4:
            return str(self.rng.randrange(_ARRAY))
        if not self.bits:
            return f"((unsigned int){self.small(1)} % {_ARRAY}u)"
        return f"({self.small(1)} & {_ARRAY - 1})"

    def small(self, depth: int) -> str:
        """An int between -200 and 255."""
        place = self.place() if depth > 0 else self.name()
        number = str(self.rng.randint(0, 99))
        return self.rng.choice((f"(signed char){place}", f"(int)({place} % 100)", number))

    def expression(self, depth: int) -> str:
        rng = self.rng
        if depth == 0:
            return self.place() if rng.random() < 0.6 else str(rng.randint(-20, 200))
        left, right = self.small(depth - 1), self.small(depth - 1)
        choice = rng.randrange(9)
        if choice < 3:
            return f"({left} {rng.choice(('+', '-', '*'))} {right})"
        if choice == 3:
            return f"({left} {rng.choice(('/', '%'))} {rng.choice((2, 3, 7, '-5'))})"
        if choice == 4 and self.bits:
            return f"({left} {rng.choice(('&', '|', '^'))} {right})"
        if choice == 5:
            return f"({self.condition()} ? {left} : {right})"
        if choice == 6:
            return f"((unsigned int){self.place()} {rng.choice(('+', '-', '*'))} {right})"
        return self.expression(depth - 1)

    def call(self) -> str:
        """Never beside another operand: C leaves open which of them is evaluated first."""
        name, arity = self.rng.choice(self.functions)
        return f"{name}({', '.join(self.small(0) for _ in range(arity))})"

    def condition(self) -> str:
        rng = self.rng
        test = f"{self.small(1)} {rng.choice(('<', '<=', '==', '!=', '>', '>='))} {self.small(1)}"
        if rng.random() < 0.25:
            return f"({test} {rng.choice(('&&', '||'))} {self.place()})"
        return f"({test})"

    # ---- statements -------------------------------------------------------------------------

    def statements(self, depth: int, count: int) -> list[str]:
        lines: list[str] = []
        for _ in range(count):
            lines += self.statement(depth)
        return lines

    def statement(self, depth: int) -> list[str]:
        rng = self.rng
        self.budget -= 1
        choice = rng.random()
        if depth == 0 or self.budget < 0 or choice < 0.45:
            return [self.simple()]
        if choice < 0.6:
            lines = [f"if {self.condition()} {{", *self.block(depth), "}"]
            return [*lines, "else {", *self.block(depth), "}"] if rng.random() < 0.5 else lines
        if choice < 0.78 and self.loops < 2:
            return self.loop(depth)
        if choice < 0.86:
            return self.switch(depth)
        if choice < 0.92:
            label = self.fresh("skip")
            return [f"if {self.condition()} goto {label};", *self.statements(depth - 1, 1), f"{label}: ;"]
        return ["{", *self.block(depth), "}"]

    def block(self, depth: int) -> list[str]:
        """Statements in a scope of their own, with a variable of their own."""
        name = self.fresh("l")
        type = self.rng.choice(_TYPES)
        line = f"{type} {name} = {self.expression(1)};"
        self.scalars.append([name])
        lines = [line, *self.statements(depth - 1, self.rng.randint(1, 3))]
        self.scalars.pop()
        return lines

    def loop(self, depth: int) -> list[str]:
        rng = self.rng
        name, bound = self.fresh("i"), rng.randint(1, 6)
        self.loops += 1
        self.scalars.append([])
        body = self.block(depth)
        if rng.random() < 0.4:
            body.append(f"if {self.condition()} {rng.choice(('break', 'continue'))};")
        body += self.statements(depth - 1, 1)
        self.scalars.pop()
        self.loops -= 1
        kind = rng.randrange(3)
        if kind == 0:
            return [f"for (int {name} = 0; {name} < {bound}; {name}++) {{", *body, "}"]
        if kind == 1:
            return [f"int {name} = {bound};", f"while ({name}-- > 0) {{", *body, "}"]
        return [f"int {name} = 0;", "do {", *body, f"}} while (++{name} < {bound});"]

    def switch(self, depth: int) -> list[str]:
        lines = [f"switch ({self.small(1)} % 4) {{"]
        for number in self.rng.sample(range(-1, 4), 3):
            lines += [f"case {number}:", *self.statements(depth - 1, 1)]
            if self.rng.random() < 0.6:
                lines.append("break;")
        return [*lines, "default:", *self.statements(depth - 1, 1), "}"]

    def simple(self) -> str:
        rng = self.rng
        choice = rng.random()
        if choice < 0.12:
            return f"{self.name()} {rng.choice(('+', '-'))}= {rng.randint(0, 9)};"
        if choice < 0.2:
            operators = ("+", "-", "|", "^", "&") if self.bits else ("+", "-")
            return f"{self.place()} {rng.choice(operators)}= (signed char){self.expression(1)};"
        if self.structures and choice < 0.26:
            return rng.choice(("s1 = s2;", "s2 = s1;", "s2.in = s1.in;"))
        if self.pointers and choice < 0.36:
            target = rng.choice([f"&{name}" for name, type in self.globals if type == "int"] + ["&ga[1]"])
            return rng.choice((f"p = {target};", "q = ga;", "sp = &s1;", "sp = &s2;"))
        if self.views and choice < 0.46:
            return rng.choice((
                "fp = h1;", "fp = h2;", f"{self.name()} = fp({self.small(0)});", "s1 = changed(s2);",
                f"swap(&ga[{self.index()}], &ga[{rng.randrange(_ARRAY)}]);",
                f"swap(&hp[{self.index()}], &{self.globals[-1][0]});", "cp = (unsigned char *)&ga[1];",
                f"cp = (unsigned char *)&{self.globals[-1][0]};",
            ))
        if choice < 0.44:
            return f"{self.place()} = {self.place()};"
        if choice < 0.54 and self.functions:
            return f"{self.name()} = {self.call()};"
        return f"{self.place()} = {self.expression(2)};"

    # ---- the program ------------------------------------------------------------------------

    def function(self) -> list[str]:
        name, arity = self.fresh("f"), self.rng.randint(0, 2)
        parameters = [self.fresh("a") for _ in range(arity)]
        self.scalars.append(list(parameters))
        self.budget = 8
        shown = ", ".join(f"{self.rng.choice(_TYPES)} {parameter}" for parameter in parameters) or "void"
        body = self.statements(2, self.rng.randint(1, 3))
        result = self.rng.choice(_TYPES)
        lines = [f"static {result} {name}({shown}) {{", *body, f"return {self.expression(1)};", "}"]
        self.scalars.pop()
        self.functions.append((name, arity))
        return lines

    def program(self) -> tuple[str, tuple[str, ...]]:
        rng = self.rng
        lines = []
        for _ in range(5):
            type = rng.choice(_TYPES)
            self.globals.append((self.fresh("g"), type))
        self.globals.append((self.fresh("g"), "int"))
        for name, type in self.globals:
            lines.append(f"{type} {name} = {rng.randint(-9, 99)};")
        lines.append(f"int ga[{_ARRAY}] = {{1, 2, 3}}; unsigned char gb[{_ARRAY}];")
        self.arrays = ["ga", "gb"]
        if self.structures or self.pointers:
            lines.append("struct inner { short x; unsigned char y; };")
            fields = f"int a; unsigned b : 5; int c : 4; char d[{_ARRAY}]; struct inner in;"
            lines.append(f"struct s {{ {fields} }};")
            lines.append("struct s s1 = {1, 2, 3, {4, 5}, {6, 7}}, s2;")
        if self.pointers:
            lines.append(f"int *p = &ga[2], *q = ga; struct s *sp = &s1; int {self.globals[-1][0]};")
        if self.views:
            lines += _VIEWS
        self.scalars = [[name for name, _ in self.globals]]
        for _ in range(rng.randint(1, 3)):
            lines += self.function()
        self.budget = 14
        body = self.main_body()
        results = self.results()
        outputs = tuple(f"o{number}" for number in range(len(results)))
        lines.append(f"long long {', '.join(outputs)};")
        copies = [f"{output} = {result};" for output, result in zip(outputs, results, strict=True)]
        start = ["int la[4] = {7};"]
        if self.views:
            start += ["hp = malloc(4 * sizeof(int));", "hp[0] = hp[1] = hp[2] = 5; hp[3] = -1;"]
        lines += ["int main(void) {", *start, *body, *copies, "return 0;", "}"]
        return "\n".join(lines) + "\n", outputs

    def results(self) -> list[str]:
        """What is observed: copied at the end, because objects in memory have no variable."""
        found = [name for name, _ in self.globals]
        found += [f"{array}[{n}]" for array in ("ga", "gb", "la") for n in range(_ARRAY)]
        if self.structures:
            fields = ("a", "b", "c", "d[1]", "in.x", "in.y")
            found += [f"{s}.{field}" for s in ("s1", "s2") for field in fields]
        if self.pointers:
            found += ["*p", "q[1]", "sp->a", "sp->d[2]", "sp == &s1", "p == &ga[1]", "q - ga"]
        if self.views:
            found += ["un.w", "un.b[1]", "un.h[1]", "cp[2]", "hp[0]", "hp[3]", "fp(3)", "fp == h1"]
        return found

    def main_body(self) -> list[str]:
        self.arrays.append("la")
        return self.statements(3, self.rng.randint(3, 6))


def program_case(seed: object, model: DataModel, **features: bool) -> Case:
    """A program that the interpreter runs without undefined behaviour."""
    for attempt in range(200):
        text, outputs = Programs(f"{seed}/{attempt}", **features).program()
        case = Case(text, outputs, (seed, attempt))
        ended, _ = interpreted(parsed(case, model), outputs)
        if is_clean(ended):
            return case
    raise AssertionError(f"{seed}: no clean program in 200 attempts")
