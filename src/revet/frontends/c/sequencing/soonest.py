"""The orders that matter where atoms touch nothing in common.

Then all that an order decides is whether the run ends before a check fails. Whatever fails in some order
fails in one in which, of the atoms that may end the run, only those come before it that it needs: so one
order for every check is enough, and often one for several.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

T = TypeVar("T")


def soonest(
    atoms: Sequence[T], ends: Callable[[T], bool], fails: Callable[[T], bool],
    needs: Callable[[T], Collection[T]],
) -> list[list[T]]:
    """The given order, in which every atom comes after all that it needs, and others until each atom that may
    fail has one in which nothing it does not need may end the run before it."""

    def is_soon(atom: T, order: list[T]) -> bool:
        return all(one in needs(atom) for one in order[: order.index(atom)] if ends(one))

    def with_first(atom: T) -> list[T]:
        left = list(atoms)
        order: list[T] = []
        while left:
            ready = [one for one in left if not any(needed in left for needed in needs(one))]
            quiet = [one for one in ready if not ends(one)]
            wanted = [one for one in ready if one is atom or one in needs(atom)]
            order.append((quiet or wanted or ready)[0])
            left.remove(order[-1])
        return order

    orders = [list(atoms)]
    for atom in atoms:
        if fails(atom) and not any(is_soon(atom, order) for order in orders):
            orders.append(with_first(atom))
    return orders
