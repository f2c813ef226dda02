"""clang as a child process, and what it writes: the tree of a translation unit as JSON, and layouts."""
