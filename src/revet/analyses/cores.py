"""Inductive validity cores and minimal cut sets: which elements of a program its properties rest on.

A set of elements is *adequate* if the properties hold in the program with these elements alone. A *core* is a
minimal adequate set (Ghassabani, Gacek and Whalen, *Efficient generation of inductive validity cores for
safety properties*, FSE 2016); a *cut set* is a minimal set of elements without which the properties fail. The
*must* elements are those in every core. All of both kinds are enumerated as in *Efficient generation of all
minimal inductive validity cores* (Ghassabani, Whalen and Gacek, FMCAD 2017): a solver knows which sets are
not decided yet and proposes a maximal one; an adequate one is shrunk to a core, any other is the complement
of a cut set. More elements never make a property fail, so a core decides the sets above, a cut set those
below.

Whether a set is adequate is an ordinary question, answered by the engines and confirmed as ever. One that
stays open makes the result incomplete, which it says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

from revet.logic.core import disjunction, not_, var
from revet.logic.sorts import BOOL
from revet.smt.protocol import Status
from revet.smt.z3 import Z3

if TYPE_CHECKING:
    from revet.logic.terms import Term
    from revet.smt.protocol import Solver

E = TypeVar("E")


@dataclass
class Found(Generic[E]):
    """Cores and cut sets in the order in which they were found.

    ``minimal``: no element of a core is in doubt. ``complete``: there are no others."""

    cores: list[frozenset[E]] = field(default_factory=list)
    cuts: list[frozenset[E]] = field(default_factory=list)
    minimal: bool = True
    complete: bool = True


class Explorer(Generic[E]):
    """Asks ``adequate`` about sets of ``elements``; None is its answer where it does not know.

    ``adequate(frozenset(elements))`` must be true, and it must be monotone."""

    def __init__(self, elements: Sequence[E], adequate: Callable[[frozenset[E]], bool | None]) -> None:
        self.elements = list(elements)
        self._ask = adequate
        self._adequate: list[frozenset[E]] = [frozenset(elements)]
        self._inadequate: list[frozenset[E]] = []
        self.asked = 0

    def adequate(self, chosen: frozenset[E]) -> bool | None:
        """What is known already, else what the oracle says."""
        if any(known <= chosen for known in self._adequate):
            return True
        if any(chosen <= known for known in self._inadequate):
            return False
        self.asked += 1
        found = self._ask(chosen)
        if found is not None:
            (self._adequate if found else self._inadequate).append(chosen)
        return found

    # -- one

    def core(self) -> Found[E]:
        """One core."""
        found: Found[E] = Found(complete=False)
        found.cores.append(self._shrunk(frozenset(self.elements), found))
        return found

    def _shrunk(self, chosen: frozenset[E], found: Found[E]) -> frozenset[E]:
        """A core within an adequate set: large parts are left out first, then smaller ones."""
        kept = [element for element in self.elements if element in chosen]
        needed: set[E] = set()
        size = max(1, len(kept) // 2)
        while True:
            at = 0
            while at < len(kept):
                part = kept[at : at + size]
                if not needed.issuperset(part):
                    rest = frozenset(kept).difference(part)
                    verdict = self.adequate(rest)
                    if verdict:
                        kept = [element for element in kept if element in rest]
                        continue
                    if size == 1:
                        needed.update(part)
                        found.minimal = found.minimal and verdict is False
                at += size
            if size == 1:
                return frozenset(kept)
            size //= 2

    def must(self) -> tuple[list[E], bool]:
        """The elements that every core has; False where one of them is in doubt."""
        everything = frozenset(self.elements)
        verdicts = [(element, self.adequate(everything - {element})) for element in self.elements]
        return [element for element, v in verdicts if v is False], all(v is not None for _, v in verdicts)

    def cut(self) -> Found[E]:
        """One cut set: a single element if that is enough."""
        everything = frozenset(self.elements)
        found: Found[E] = Found(complete=False)
        for element in self.elements:
            if self.adequate(everything - {element}) is False:
                found.cuts.append(frozenset([element]))
                return found
        without_any = self.adequate(frozenset())
        found.minimal = without_any is not None
        if without_any is False:
            kept: set[E] = set()
            for element in self.elements:
                verdict = self.adequate(frozenset([*kept, element]))
                if verdict is False:
                    kept.add(element)
                elif verdict is None:
                    found.minimal = False
            found.cuts.append(everything - kept)
        return found

    # -- all

    def all(self) -> Found[E]:
        """Every core and every cut set."""
        found: Found[E] = Found()
        literals = {element: var(f"element!{k}", BOOL) for k, element in enumerate(self.elements)}
        undecided = Z3().solver()
        while (seed := self._proposed(undecided, literals)) is not None:
            verdict = self.adequate(seed)
            if verdict:
                core = self._shrunk(seed, found)
                found.cores.append(core)
                undecided.add(disjunction(not_(literals[element]) for element in core))
                continue
            outside = frozenset(self.elements) - seed
            undecided.add(disjunction(literals[element] for element in outside))
            if verdict is None:
                found.complete = found.minimal = False
            else:
                found.cuts.append(outside)
        return found

    def _proposed(self, undecided: Solver, literals: dict[E, Term]) -> frozenset[E] | None:
        """A maximal set of which nothing is known."""
        chosen: list[E] = []
        if not _possible(undecided, []):
            return None
        for element in self.elements:
            if _possible(undecided, [literals[other] for other in (*chosen, element)]):
                chosen.append(element)
        return frozenset(chosen)


def _possible(solver: Solver, literals: Iterable[Term]) -> bool:
    return solver.check(literals) is Status.SAT
