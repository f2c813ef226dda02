"""BenchExec tool-info module: ``<benchmark tool="revet.benchexec">`` runs Revet in SV-COMP's harness.

BenchExec calls :class:`Tool` to find the executable, build each command line and read each
answer. It loads this module in its own process and is needed only there: nothing in Revet
imports this file, and BenchExec is not a dependency of Revet.

The answer is the last line that starts with ``verdict:`` on standard output; the exit status
tells a bad input (2) from an undecided run (3). See ``docs`` for the command line's contract.
"""

from __future__ import annotations

import re
from typing import Any

from benchexec import result
from benchexec.tools.template import BaseTool2, UnsupportedFeatureException

_VERDICT = re.compile(r"verdict: (safe|unsafe|unknown)(?: \((.*)\))?\s*$")

# What BenchExec calls the violation of each property.
_VIOLATION = {
    "unreach-call": result.RESULT_FALSE_REACH,
    "no-overflow": result.RESULT_FALSE_OVERFLOW,
}


class Tool(BaseTool2):  # type: ignore[misc]  # BenchExec has no type information
    """How BenchExec talks to Revet."""

    def executable(self, tool_locator: Any) -> str:
        return str(tool_locator.find_executable("revet", subdir="bin"))

    def name(self) -> str:
        return "Revet"

    def version(self, executable: str) -> str:
        return str(self._version_from_tool(executable, line_prefix="revet"))

    def cmdline(self, executable: str, options: list[str], task: Any, rlimits: Any) -> list[str]:
        command = [executable, "check", *options]
        if task.property_file:
            command += ["--property", task.property_file]
        if rlimits.cputime:
            command += ["--timeout", str(rlimits.cputime)]
        command += _data_model(task.options)
        return [*command, *task.input_files_or_identifier]

    def determine_result(self, run: Any) -> str:
        for line in reversed(run.output):
            found = _VERDICT.match(line)
            if found is not None:
                return _status(found.group(1), found.group(2), run)
        if run.was_timeout:
            return str(result.RESULT_TIMEOUT)
        if run.exit_code.value == 2:
            return f"{result.RESULT_ERROR}(input)"
        return str(result.RESULT_ERROR)


def _data_model(options: Any) -> list[str]:
    """``--32`` or ``--64`` from the task definition, which may also say nothing."""
    if not isinstance(options, dict):
        return []
    if options.get("language", "C") != "C":
        raise UnsupportedFeatureException(f"Revet does not read {options['language']} tasks")
    flag = {"ILP32": "--32", "LP64": "--64"}.get(options.get("data_model", ""))
    return [flag] if flag else []


def _status(verdict: str, reason: str | None, run: Any) -> str:
    if verdict == "safe":
        return str(result.RESULT_TRUE_PROP)
    if verdict == "unsafe":
        return str(_VIOLATION.get(_property(run.cmdline), result.RESULT_FALSE_PROP))
    if run.was_timeout or (reason is not None and "time" in reason):
        return str(result.RESULT_TIMEOUT)
    return f"{result.RESULT_UNKNOWN}({reason})" if reason else str(result.RESULT_UNKNOWN)


def _property(command: list[str]) -> str:
    """The SV-COMP name of the property on the command line, read from its file's name."""
    if "--property" not in command[:-1]:
        return "unreach-call"
    name = command[command.index("--property") + 1].rsplit("/", 1)[-1]
    return name.removesuffix(".prp")
