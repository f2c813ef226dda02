"""Random Horn clauses as SMT-LIB scripts: linear and non-linear, over integers, bit-vectors and arrays."""

from random import Random

THEORIES = ("Int", "bits", "arrays")


def random_script(rng: Random, theory: str, *, linear: bool) -> str:
    """A few predicates over Booleans and numbers, facts, steps and a query; about half are satisfiable."""
    return _Script(rng, theory, linear).text()


class _Script:
    def __init__(self, rng: Random, theory: str, linear: bool) -> None:
        self.rng, self.theory, self.linear = rng, theory, linear
        self.number = "(_ BitVec 4)" if theory == "bits" else "Int"
        self.sorts = {"b": "Bool", "n": self.number, "a": "(Array Int Int)"}
        kinds = "bnna" if theory == "arrays" else "bnn"
        self.predicates = {
            f"P{i}": "".join(rng.choice(kinds) for _ in range(rng.randrange(1, 4)))
            for i in range(rng.randrange(1, 4))
        }

    def text(self) -> str:
        declared = [
            f"(declare-fun {name} ({' '.join(self.sorts[kind] for kind in kinds)}) Bool)"
            for name, kinds in self.predicates.items()
        ]
        names = list(self.predicates)
        clauses = [self.clause([], name) for name in names[: self.rng.randrange(1, 3)]]
        for _ in range(self.rng.randrange(2, 6)):
            count = 1 if self.linear else self.rng.randrange(1, 3)
            body = [self.rng.choice(names) for _ in range(count)]
            clauses.append(self.clause(body, self.rng.choice(names)))
        count = 1 if self.linear else self.rng.randrange(1, 3)
        clauses.append(self.clause([self.rng.choice(names) for _ in range(count)], None))
        return "\n".join(["(set-logic HORN)", *declared, *clauses, "(check-sat)", ""])

    def clause(self, body: list[str], head: str | None) -> str:
        bound = {f"{kind}{i}": self.sorts[kind] for kind in self.sorts for i in range(4)
                 if kind != "a" or self.theory == "arrays"}
        parts = [self.applied(name, plain=True) for name in body]
        parts += [self.condition() for _ in range(self.rng.randrange(1 if body else 2, 4))]
        target = "false" if head is None else self.applied(head, plain=False)
        variables = " ".join(f"({name} {sort})" for name, sort in bound.items())
        return f"(assert (forall ({variables}) (=> (and {' '.join(parts)}) {target})))"

    def applied(self, name: str, *, plain: bool) -> str:
        given = [self.variable(kind) if plain or self.rng.random() < 0.5 else self.term(kind)
                 for kind in self.predicates[name]]
        return f"({name} {' '.join(given)})"

    def variable(self, kind: str) -> str:
        return f"{kind}{self.rng.randrange(4)}"

    def constant(self) -> str:
        value = self.rng.randrange(-3, 6)
        if self.theory == "bits":
            return f"#b{value % 16:04b}"
        return str(value) if value >= 0 else f"(- {-value})"

    def term(self, kind: str) -> str:
        if kind == "b":
            found = [self.variable("b"), f"(not {self.variable('b')})", "true", self.condition()]
            return self.rng.choice(found)
        if kind == "a":
            return f"(store {self.variable('a')} {self.variable('n')} {self.term('n')})"
        plus, minus = ("bvadd", "bvsub") if self.theory == "bits" else ("+", "-")
        found = [self.variable("n"), self.constant(), f"({plus} {self.variable('n')} {self.constant()})",
                 f"({minus} {self.variable('n')} {self.variable('n')})"]
        if self.theory == "arrays":
            found += [f"(select {self.variable('a')} {self.variable('n')})"] * 2
        return self.rng.choice(found)

    def condition(self) -> str:
        compare = ["=", "bvule", "bvslt", "bvult"] if self.theory == "bits" else ["=", "<=", "<", ">"]
        atom = f"({self.rng.choice(compare)} {self.variable('n')} {self.term('n')})"
        other = f"(= {self.variable('b')} {self.rng.choice(['true', 'false', self.variable('b')])})"
        fixed = f"(= {self.variable('n')} {self.constant()})"
        return self.rng.choice([atom, atom, fixed, fixed, other, f"(or {atom} {other})", f"(not {atom})"])
