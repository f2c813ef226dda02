"""The rounding mode of floating-point arithmetic, which ``fesetround`` changes (``<fenv.h>``).

Programs that do not call it have the default mode, and no variable for it.
"""

from __future__ import annotations

import platform

from revet.frontends.c import ast
from revet.frontends.c.library.uses import mentioned_functions

SET, GET = "fesetround", "fegetround"
NUMBERS = {"RNE": 0, "RTN": 0x400, "RTP": 0x800, "RTZ": 0xC00}
"""FE_TONEAREST, FE_DOWNWARD, FE_UPWARD and FE_TOWARDZERO, as the headers for x86 have them."""
MODES = {number: mode for mode, number in NUMBERS.items()}
OTHER_NUMBERS = "fesetround of a processor whose rounding modes have other numbers than those of x86"
UNKNOWN_VALUES = (
    "a library function of which only bounds are known, in a program that changes the rounding mode"
)
FOLLOWED = (
    "arithmetic follows fesetround (gcc and clang: -frounding-math), and no expression leaves open whether a "
    "function in it changes the mode before or after another operand rounds"
)
"""An assumption of answers about programs that change the mode."""


def changes_rounding(program: ast.CProgram) -> bool:
    """May a run call ``fesetround``? One that the program defines itself is any function."""
    return SET not in program.functions and SET in mentioned_functions(program)


def numbers_known() -> bool:
    """Have the headers of this machine these numbers?"""
    return platform.machine() in ("x86_64", "AMD64", "i386", "i686")
