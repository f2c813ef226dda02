"""SMT-LIB 2: printing (:mod:`revet.logic.smtlib_print`) and reading (:mod:`revet.logic.smtlib_read`)."""

from revet.logic.smtlib_print import print_script, print_term, symbol
from revet.logic.smtlib_read import Script, read_script, read_term

__all__ = ["Script", "print_script", "print_term", "read_script", "read_term", "symbol"]
