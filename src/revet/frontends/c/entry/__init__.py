"""A function checked on its own (``--entry f``): the C function that calls it, written by us.

The driver is C text at the end of the file that defines ``f``. It draws the arguments (``revet_any_int()``),
makes the objects that they point to (``revet_any_object()``) and calls ``f``. Clang reads it with the rest,
so model, interpreter, compiled run and harness have nothing to know about it: a run starts in a function
without parameters.

``main`` has a driver, too, if it looks at its arguments.

================  ====================================================================================
``driver``        the text, the function's name and what it assumes
``filling``       C statements that give a place any value of its type, objects behind pointers included
``command_line``  the driver of ``main``: any number of strings
``shapes``        questions about types, and which parameters are used as arrays
================  ====================================================================================
"""

from revet.frontends.c.entry.command_line import looks_at_arguments, make_main_driver
from revet.frontends.c.entry.driver import Driver, Wanted, make_driver

__all__ = ["Driver", "Wanted", "looks_at_arguments", "make_driver", "make_main_driver"]
