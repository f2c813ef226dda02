"""Searching for violations with the compiled program: hints by the million, at machine speed.

| part | what it holds |
|---|---|
| ``search.c`` | the search itself, linked with the program: inputs, runs, coverage |
| :mod:`stubs` | the functions that the program leaves open, generated |
| :mod:`build` | compiling and linking, with nothing of the C library that has effects elsewhere |
| :mod:`search` | the process and its protocol |
"""
