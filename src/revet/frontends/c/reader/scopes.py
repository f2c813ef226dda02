"""What names mean in types, by scope: typedefs, records, enumerations, and the variables that hide them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from revet.frontends.c import ast
from revet.frontends.c.reader.entries import HIDDEN, Entry, Resolved


class Scopes:
    """The scopes around the place that is read, and what texts of types mean there."""

    def __init__(self) -> None:
        self._scopes: list[dict[str, Entry]] = [{}]
        self._caches: list[dict[str, Resolved]] = [{}]

    def push(self) -> None:
        self._scopes.append({})
        self._caches.append(self._caches[-1])

    def pop(self) -> None:
        self._scopes.pop()
        self._caches.pop()

    def _declare(self, key: str, entry: Entry) -> None:
        hides = not isinstance(entry, ast.Variable) or self._lookup(key) is not None
        self._scopes[-1][key] = entry
        if len(self._scopes) > 1 and hides:
            self._caches[-1] = {}

    def _lookup(self, key: str) -> Entry | None:
        for scope in reversed(self._scopes):
            found = scope.get(key)
            if found is not None:
                return found
        return None

    def declare_name(self, name: str, variable: ast.Variable) -> None:
        """A variable: it hides typedefs of its name."""
        self._declare(name, variable)

    def hide_name(self, name: str) -> None:
        if self.named_variable(name) is not None:
            self._declare(name, HIDDEN)

    def named_variable(self, name: str) -> ast.Variable | None:
        """The local variable that a name means here."""
        found = self._lookup(name)
        return found if isinstance(found, ast.Variable) else None

    @contextmanager
    def at_file_scope(self, really: bool = True) -> Iterator[None]:
        """For a declaration at file scope, whatever the place where somebody asks for it."""
        scopes, caches = self._scopes, self._caches
        if really:
            self._scopes, self._caches = scopes[:1], caches[:1]
        try:
            yield
        finally:
            self._scopes, self._caches = scopes, caches
