"""Contracts of Lustre, in the old spelling ``(*@contract … *)``, in ``con … noc``, and as nodes."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field, replace

from revet.errors import InputError, Position, Unsupported
from revet.frontends.lustre.declarations import (
    Constant,
    Contract,
    ContractNode,
    Equation,
    Import,
    LeftSide,
    Mode,
    Property,
)
from revet.frontends.lustre.lexer import Token
from revet.frontends.lustre.parser_expressions import ExpressionParser
from revet.frontends.lustre.syntax import Declaration, Expr, Name


class ContractParser(ExpressionParser):
    @abstractmethod
    def _type_parameters(self) -> tuple[str, ...]: ...

    def _signature(self) -> tuple[tuple[Declaration, ...], tuple[Declaration, ...]]:
        """``(inputs) returns (outputs);``"""
        self._expect("(")
        inputs = self._declarations(")")
        self._expect(")")
        self._expect("returns")
        self._expect("(")
        outputs = self._declarations(")")
        self._expect(")")
        self._accept(";")
        return inputs, outputs

    def _lemma_signature(self) -> tuple[tuple[Declaration, ...], tuple[Declaration, ...]]:
        """``(inputs)``: what a lemma says is in its contract."""
        self._expect("(")
        inputs = self._declarations(")")
        self._expect(")")
        self._accept(";")
        return inputs, ()

    def _node_contract(self) -> Contract | None:
        """All contract blocks between a node's signature and its body, as one."""
        parts = _ContractParts()
        found = False
        while True:
            if self._accept("(*@contract"):
                stop = "*)"
            elif self._is_word("con"):
                self._at += 1
                stop = "noc"
            else:
                return parts.contract() if found else None
            found = True
            self._contract_items(parts, stop)
            self._accept(";")

    def _contract_node(self) -> ContractNode:
        token = self._expect("name", "the contract's name")
        parameters = self._type_parameters()
        inputs, outputs = self._signature()
        self._expect("let")
        parts = _ContractParts()
        self._contract_items(parts, "tel")
        self._accept(";", ".")
        return ContractNode(
            token.text, parameters, inputs, outputs, parts.contract(), self._position(token)
        )

    def _contract_items(self, parts: _ContractParts, stop: str) -> None:
        while not (self._accept(stop) or self._accept_word(stop)):
            if not self._accept(";"):
                self._contract_item(parts)

    def _contract_item(self, parts: _ContractParts) -> None:
        token, position = self._token, self._position()
        if self._accept("var", "const"):
            self._ghost(parts, token.kind == "const")
            return
        word = self._expect("name", "assume, guarantee, mode, var, const or import").text
        weak = word == "weakly"
        if weak:
            word = self._expect("name", "assume or guarantee").text
            if word not in ("assume", "guarantee"):
                raise InputError(f"expected assume or guarantee after weakly, found {word!r}", position)
        if word in ("assume", "guarantee"):
            into = parts.assumes if word == "assume" else parts.guarantees
            into.append(replace(self._clause(word, position), weak=weak))
        elif word == "mode":
            parts.modes.append(self._mode(position))
        elif word == "import":
            name = self._expect("name", "a contract's name").text
            types = self._type_arguments()
            arguments = self._arguments()
            self._expect("returns")
            parts.imports.append(Import(name, types, arguments, self._arguments(), position))
            self._expect(";")
        elif word == "decreases":
            parts.decreases.append(self.expression())
            while self._accept(","):
                parts.decreases.append(self.expression())
            self._expect(";")
        elif word == "assumption_vars":
            parts.assumption_vars.append(self._expect("name", "a variable"))
            while self._accept(","):
                parts.assumption_vars.append(self._expect("name", "a variable"))
            self._expect(";")
        else:
            raise Unsupported(f"'{word}' is not supported in a contract", position)

    def _ghost(self, parts: _ContractParts, constant: bool) -> None:
        """``var a, b: int, c: bool = (1, 2, true);`` or ``const c = 1;``"""
        names: list[tuple[str, Position]] = []
        variables: list[Declaration] = []
        while True:
            token = self._expect("name", "a variable's name")
            names.append((token.text, self._position(token)))
            if self._accept(":"):
                type_ = self.type_()
                if self._accept("|"):
                    raise Unsupported("a refinement of a ghost variable: name its type", self._position())
                variables += [Declaration(name, type_, at) for name, at in names[len(variables) :]]
            if not self._accept(","):
                break
        value: Expr | None = self.expression() if self._accept("=") else None
        self._expect(";")
        name, at = names[0]
        if constant:
            if len(names) > 1:
                raise InputError("one constant a definition", at)
            parts.constants.append(Constant(name, variables[0].type if variables else None, value, at))
            return
        if len(variables) < len(names):
            raise InputError(f"ghost variable {names[-1][0]} needs a type", names[-1][1])
        if value is None:
            raise InputError(f"ghost variable {name} needs a definition", at)
        parts.variables += variables
        parts.equations.append(Equation(tuple(LeftSide(n, (), p) for n, p in names), value, at))

    def _clause(self, word: str, position: Position) -> Property:
        label = self._accept("string")
        formula = self.expression()
        self._expect(";")
        name = label.text.strip('"') if label else f"{word} of line {position.line}"
        return Property(name, formula, position)

    def _mode(self, position: Position) -> Mode:
        name = self._expect("name", "the mode's name").text
        self._expect("(")
        requires: list[Property] = []
        ensures: list[Property] = []
        while not self._accept(")"):
            place = self._position()
            word = self._expect("name", "require or ensure").text
            if word not in ("require", "ensure"):
                raise InputError(f"expected require or ensure, found {word!r}", place)
            (requires if word == "require" else ensures).append(self._clause(word, place))
        self._accept(";")
        return Mode(name, tuple(requires), tuple(ensures), position)


@dataclass
class _ContractParts:
    """What stands in a contract."""

    assumes: list[Property] = field(default_factory=list)
    guarantees: list[Property] = field(default_factory=list)
    modes: list[Mode] = field(default_factory=list)
    constants: list[Constant] = field(default_factory=list)
    variables: list[Declaration] = field(default_factory=list)
    equations: list[Equation] = field(default_factory=list)
    imports: list[Import] = field(default_factory=list)
    decreases: list[Expr] = field(default_factory=list)
    assumption_vars: list[Token] = field(default_factory=list)

    def contract(self) -> Contract:
        return Contract(
            tuple(self.assumes), tuple(self.guarantees), tuple(self.modes), tuple(self.constants),
            tuple(self.variables), tuple(self.equations), tuple(self.imports), tuple(self.decreases),
            tuple(Name(Position(t.path, t.line, t.column), t.text) for t in self.assumption_vars),
        )
