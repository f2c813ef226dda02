"""THETA's control-flow automata, ``.cfa``.

::

    main process counter {
        var x : int
        init loc L0
        loc L1
        final loc END
        error loc ERR
        L0 -> L1 { x := 0 }
        L1 -> L1 {
            assume x < 5
            x := x + 1
        }
        L1 -> ERR { assume x > 5 }
    }

Types: ``bool``, ``int``, ``rat``, ``bv[n]``, ``fp[e:s]`` (or ``fp[e,s]``), ``[index] -> element``.
Variables start with any value. The expressions are THETA's, with its operators and binding
strengths (:mod:`~revet.frontends.kit.theta_notation`). ``div`` and ``mod`` on integers are SMT-LIB's;
``rem`` has the sign of the divisor; THETA's solvers leave division by zero open, so it may give
any value here (:mod:`revet.frontends.kit.automaton`). Bit-vector division by zero is SMT-LIB's.

Refused with the place: several processes without one ``main``, parameters of function type,
function literals and calls, ``return``, quantifiers, primed variables, ``fpmin fpmax fptobv``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from revet.errors import InputError
from revet.frontends.kit.automaton import AutomatonProgram
from revet.frontends.kit.parsing import Source
from revet.frontends.kit.text import read_text
from revet.frontends.theta.parser import parse


def load(paths: Sequence[Path], options: Mapping[str, Any]) -> AutomatonProgram:
    """Read one automaton."""
    if len(paths) != 1:
        raise InputError(f"{paths[1]}: an automaton is one file")
    source = Source(str(paths[0]), read_text(paths[0]))
    return AutomatonProgram(parse(source), paths[0], "theta", "any value")
