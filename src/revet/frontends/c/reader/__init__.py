"""From clang's cursors to the typed syntax tree of :mod:`revet.frontends.c.ast`."""
