"""Sets that are joined step by step: union-find, with path halving."""

from __future__ import annotations

from collections.abc import Iterable

from revet.logic.terms import Term


class Components:
    """A partition of terms; what was never joined is alone."""

    def __init__(self) -> None:
        self._parent: dict[Term, Term] = {}

    def find(self, term: Term) -> Term:
        """The term that stands for the set."""
        parent = self._parent
        while (above := parent.get(term, term)) is not term:
            parent[term] = parent.get(above, above)
            term = above
        return term

    def join(self, terms: Iterable[Term]) -> None:
        """From now on all of them are in one set, for which the first one's term stands."""
        first: Term | None = None
        for term in terms:
            root = self.find(term)
            if first is None:
                first = root
            self._parent[root] = first
