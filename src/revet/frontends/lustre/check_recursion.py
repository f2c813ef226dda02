"""The type checker on recursive functions and lemmas: who calls whom, and what becomes smaller.

Functions that call each other are a *family*. Each call within a family owes that the measures of the callee
(``decreases``) are smaller than the caller's, in lexicographic order, so that every call comes to an end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from revet.errors import InputError, Position
from revet.frontends.lustre.core import Call, Decrease, Expr, Node, Output, Var
from revet.frontends.lustre.types import BOOL, INT, Datatype, is_recursive, plain
from revet.frontends.lustre.walk import called, subexpressions

Failure = Callable[[str, Position], InputError]
USED = "the lemma holds"
"""The output of a lemma, which is always true: by it, a lemma is a function like any other."""


def find_families(nodes: Sequence[Node], error: Failure) -> None:
    """Give every recursive function its family, and every call within a family what it owes."""
    if not any(node.recursive for node in nodes):
        return
    below = {node: called(node) for node in nodes}
    for node in nodes:
        again = [one for one in below[node] if _calls(one, node)]
        if not again:
            continue
        node.family = tuple(one for one in nodes if one in below[node] and node in below[one])
        if not node.recursive:
            raise error(f"function {node.name} calls itself: write 'function rec'", node.position)
        _check_measure(node, error)
    for node in nodes:
        for one in node.family:
            if [m.type for m in one.measure] != [m.type for m in node.measure]:
                message = f"{one.name} calls {node.name} and is called by it: 'decreases' must fit"
                raise error(message, node.position)
        if node.family:
            _oblige(node, error)


def outside_calls(nodes: Sequence[Node], known: set[str]) -> set[str]:
    """Of the functions that are ``known`` to be called, those that others than their own family call."""
    own = [node for node in nodes if node.family]
    if not own:
        return known
    alone = {node.name for node in own if not any(
        _calls(caller, node) for caller in nodes if caller not in node.family
    )}
    return known - alone


def _calls(node: Node, callee: Node) -> bool:
    return any(call.node is callee for call in _all_calls(*node.expressions))


def _all_calls(*roots: Expr) -> Iterator[Call]:
    seen: set[Call] = set()
    for part in subexpressions(*roots):
        if isinstance(part, Output) and part.call not in seen:
            seen.add(part.call)
            yield part.call


def _check_measure(node: Node, error: Failure) -> None:
    if not node.measure:
        raise error(f"{node.name} calls itself: its contract must say what 'decreases'", node.position)
    for part in node.measure:
        type_ = plain(part.type)
        if type_ != INT and not (isinstance(type_, Datatype) and is_recursive(type_)):
            message = f"'decreases' takes ints and datatypes that contain themselves, this is a {type_}"
            raise error(message, part.position)


def _oblige(node: Node, error: Failure) -> None:
    contract = _contract_parts(node)
    for call in _all_calls(*contract):
        if call.node in node.family:
            raise error(f"the contract of {node.name} calls {call.node.name}, which calls {node.name}",
                        call.position)
    for call in _all_calls(*node.expressions):
        if call.node in node.family:
            call.decrease = Decrease(call.position, BOOL, call)


def _contract_parts(node: Node) -> list[Expr]:
    """What the contract says, with the ghost variables that it mentions."""
    found = [clause.formula for clause in (*node.assumes, *node.guarantees)]
    found += node.measure
    seen: set[str] = set()
    todo = list(found)
    while todo:
        for part in subexpressions(todo.pop()):
            if isinstance(part, Var) and part.name not in seen and part.name.endswith("~ghost"):
                seen.add(part.name)
                if part.name in node.definitions:
                    todo.append(node.definitions[part.name])
                    found.append(node.definitions[part.name])
    return found
