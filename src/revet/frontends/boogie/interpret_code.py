"""Bodies as lists of instructions, so that the interpreter has a program counter and jumps are jumps."""

from __future__ import annotations

from dataclasses import dataclass

from revet.frontends.boogie import syntax as s


@dataclass(eq=False, slots=True)
class Instruction:
    """``targets`` are indices of instructions: where a jump leads, or the two ways of a condition.

    An ``invariant`` instruction has its clause; the statement is the loop.
    """

    kind: str  # "simple", "invariant", "branch", "goto", "jump", "return"
    statement: s.Statement | None
    clause: s.Clause | None = None
    targets: tuple[int, ...] = ()


def code_of(body: s.Body) -> list[Instruction]:
    return _Compiler().compile(body)


class _Compiler:
    def __init__(self) -> None:
        self.code: list[Instruction] = []
        self.labels: dict[str, int] = {}
        self.ends: dict[s.Statement, int] = {}

    def compile(self, body: s.Body) -> list[Instruction]:
        self._block(body.statements)
        self._emit("return", None)
        for instruction in self.code:
            match instruction.statement:
                case s.Goto(labels=labels):
                    instruction.targets = tuple(self.labels[label] for label in labels)
                case s.Break(target=target):
                    instruction.targets = (self.ends[target],)
        return self.code

    def _emit(self, kind: str, statement: s.Statement | None, clause: s.Clause | None = None) -> Instruction:
        self.code.append(Instruction(kind, statement, clause))
        return self.code[-1]

    def _block(self, block: tuple[s.Statement, ...]) -> None:
        for statement in block:
            match statement:
                case s.Label(name=name):
                    self.labels[name] = len(self.code)
                case s.If():
                    self._if(statement)
                case s.While():
                    self._while(statement)
                case s.Goto():
                    self._emit("goto", statement)
                case s.Break():
                    self._emit("jump", statement)
                case s.Return():
                    self._emit("return", statement)
                case _:
                    self._emit("simple", statement)

    def _if(self, statement: s.If) -> None:
        branch = self._emit("branch", statement)
        then = len(self.code)
        self._block(statement.then)
        leave = self._emit("jump", None)
        branch.targets = (then, len(self.code))
        self._block(statement.otherwise)
        leave.targets = (len(self.code),)
        self.ends[statement] = len(self.code)

    def _while(self, statement: s.While) -> None:
        head = len(self.code)
        for clause in statement.invariants:
            self._emit("invariant", statement, clause)
        branch = self._emit("branch", statement)
        inside = len(self.code)
        self._block(statement.body)
        self._emit("jump", None).targets = (head,)
        branch.targets = (inside, len(self.code))
        self.ends[statement] = len(self.code)
