"""Contracts: what a node may assume and what it owes, taken apart into properties.

For the main node assumptions restrict the environment (like ``assert``) and guarantees are properties.
For a node that is called, each assumption is an obligation of the caller and each guarantee one of the
node, as long as its assumptions have held so far. Of an ``imported`` node there is only the contract:
its outputs are free, within the guarantees. A mode is the guarantee ``requires => ensures``; and with
modes, one of them must be active at every instant.
"""

from __future__ import annotations

from dataclasses import replace

from revet.errors import InputError, Position
from revet.frontends.lustre.rewrite import all_of, any_of, implies, map_property, substitute, true
from revet.frontends.lustre.syntax import (
    Binary,
    Contract,
    ContractNode,
    Declaration,
    Equation,
    Expr,
    File,
    Mode,
    Name,
    Node,
    Property,
    TypeName,
    Unary,
)


def expand_contracts(file: File) -> File:
    known = {contract.name: contract for contract in file.contracts}
    main = file.main
    nodes = tuple(
        node if node.contract is None else _Expansion(file, known, node, node is main).node()
        for node in file.nodes
    )
    return replace(file, nodes=nodes)


class _Expansion:
    def __init__(self, file: File, known: dict[str, ContractNode], node: Node, main: bool) -> None:
        self.file = file
        self.known = known
        self.original = node
        self.main = main
        self.contract = self._flat(node.contract or Contract((), (), (), (), (), (), ()), ())

    def node(self) -> Node:
        node, contract = self.original, self.contract
        guarantees = [*contract.guarantees, *self._modes(contract.modes)]
        locals_ = [*node.locals, *contract.variables]
        equations = [*node.equations, *contract.equations]
        if contract.assumes and not self.main:
            history = self._history(contract.assumes)
            locals_.append(Declaration(_ASSUMED, TypeName("bool", node.position), node.position))
            equations.append(history)
            guarantees = [
                map_property(g, lambda f: implies(Name(f.position, _ASSUMED), f, f.position))
                for g in guarantees
            ]
        return replace(
            node,
            locals=tuple(locals_),
            equations=tuple(equations),
            constants=(*node.constants, *contract.constants),
            assumes=_unique((*node.assumes, *contract.assumes), ()),
            guarantees=_unique((*node.guarantees, *guarantees), node.properties),
        )

    def _history(self, assumes: tuple[Property, ...]) -> Equation:
        """``assumed = assumptions and (true -> pre assumed)``"""
        at = self.original.position
        before = Binary(at, "->", true(at), Unary(at, "pre", Name(at, _ASSUMED)))
        now = all_of([a.formula for a in assumes], at)
        return Equation((Name(at, _ASSUMED),), Binary(at, "and", now, before), at)

    def _modes(self, modes: tuple[Mode, ...]) -> list[Property]:
        found = []
        active: list[Expr] = []
        for mode in modes:
            requires = all_of([r.formula for r in mode.requires], mode.position)
            active.append(requires)
            for ensure in mode.ensures:
                formula = implies(requires, ensure.formula, ensure.position)
                found.append(Property(f"{mode.name}: {ensure.name}", formula, ensure.position))
        if modes:
            at = modes[0].position
            found.append(Property("one mode is active", any_of(active, at), at))
        return found

    def _flat(self, contract: Contract, path: tuple[str, ...]) -> Contract:
        """With the imports' contents in place of the imports."""
        for item in contract.imports:
            if item.contract in path:
                raise self._error(f"contract {item.contract} imports itself", item.position)
            imported = self.known.get(item.contract)
            if imported is None:
                raise self._error(f"there is no contract {item.contract}", item.position)
            counts = (len(imported.inputs), len(imported.outputs))
            if counts != (len(item.arguments), len(item.outputs)):
                message = f"{item.contract} takes {counts[0]} inputs and {counts[1]} outputs"
                raise self._error(message, item.position)
            body = self._flat(imported.body, (*path, item.contract))
            names = [d.name for d in (*imported.inputs, *imported.outputs)]
            mapping = dict(zip(names, (*item.arguments, *item.outputs), strict=True))
            contract = _joined(contract, _renamed(body, mapping, item.contract))
        return replace(contract, imports=())

    def _error(self, message: str, position: Position) -> InputError:
        return InputError(message, position, self.file.line(position))


_ASSUMED = "assumed~"


def _joined(left: Contract, right: Contract) -> Contract:
    return Contract(
        (*left.assumes, *right.assumes), (*left.guarantees, *right.guarantees), (*left.modes, *right.modes),
        (*left.constants, *right.constants), (*left.variables, *right.variables),
        (*left.equations, *right.equations), left.imports,
    )


def _renamed(body: Contract, mapping: dict[str, Expr], prefix: str) -> Contract:
    """A contract node's body in terms of the importing node; its ghosts get names of their own."""
    full: dict[str, Expr] = dict(mapping)
    for constant in body.constants:
        full[constant.name] = Name(constant.position, f"{prefix}~{constant.name}")
    for variable in body.variables:
        full[variable.name] = Name(variable.position, f"{prefix}~{variable.name}")

    def ghost_name(name: Name) -> Name:
        return Name(name.position, f"{prefix}~{name.name}")

    def move(expr: Expr) -> Expr:
        return substitute(expr, full)

    def clause(prop: Property) -> Property:
        return replace(map_property(prop, move), name=f"{prefix}.{prop.name}")

    return Contract(
        tuple(map(clause, body.assumes)),
        tuple(map(clause, body.guarantees)),
        tuple(
            Mode(
                f"{prefix}.{mode.name}",
                tuple(map(clause, mode.requires)),
                tuple(map(clause, mode.ensures)),
                mode.position,
            )
            for mode in body.modes
        ),
        tuple(replace(c, name=f"{prefix}~{c.name}", value=move(c.value)) for c in body.constants),
        tuple(replace(v, name=f"{prefix}~{v.name}") for v in body.variables),
        tuple(
            Equation(tuple(ghost_name(name) for name in e.names), move(e.value), e.position)
            for e in body.equations
        ),
        (),
    )


def _unique(clauses: tuple[Property, ...], others: tuple[Property, ...]) -> tuple[Property, ...]:
    taken = {other.name for other in others}
    found = []
    for clause in clauses:
        name, number = clause.name, 1
        while name in taken:
            number += 1
            name = f"{clause.name} ({number})"
        taken.add(name)
        found.append(replace(clause, name=name))
    return tuple(found)
