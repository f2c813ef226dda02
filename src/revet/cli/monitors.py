"""Monitors written in Python as inputs of the command line: ``check``, ``simulate`` and ``compile``.

The file is run as Python runs any module (not as ``__main__``), with the rights of whoever calls ``revet``:
do not check files that you would not run. What it defines is then taken: every :class:`Spec` among its names,
and what functions without parameters that promise a ``Spec`` return. What it prints goes to standard error:
standard output is for the answer.
"""

from __future__ import annotations

import inspect
import runpy
import sys
from contextlib import redirect_stdout
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING

from revet.cli import launch_time
from revet.cli.output import echo
from revet.cli.reading import ReadingTime
from revet.cli.watch import watch
from revet.errors import InputError, RevetError, UsageError, no_such_property
from revet.portfolio.configuration import key_value
from revet.report import SCHEMA
from revet.streams.prove import How, proof_of
from revet.streams.spec import Spec

if TYPE_CHECKING:
    from revet.cli.given import Given
    from revet.streams.prove import Proof
    from revet.streams.table import Table

_REFUSED = (
    "save", "harness", "witness", "model", "proof", "html", "sarif", "explain", "predicates", "cache",
    "parse_only", "explain_choice", "compositional", "array_cells", "bits", "kind2_json", "stats",
)


def read_specs(file: str) -> list[Spec]:
    """The specifications that the file defines, in its order."""
    if not Path(file).is_file():
        raise InputError(f"{file}: there is no such file")
    folder = str(Path(file).resolve().parent)
    sys.path.insert(0, folder)  # as 'python FILE' does
    try:
        with redirect_stdout(sys.stderr):
            names = runpy.run_path(file, run_name="__revet__")
            found = [value for value in names.values() if isinstance(value, Spec)]
            found += [made for value in names.values() if (made := _made(value)) is not None]
    except RevetError:
        raise
    except (Exception, SystemExit) as error:
        raise InputError(f"{file}: running it failed: {type(error).__name__}: {error}") from error
    finally:
        sys.path.remove(folder)
    if not found:
        raise InputError(f"{file}: it defines no Spec, and no function without parameters that returns one")
    if len({spec.name for spec in found}) < len(found):
        raise InputError(f"{file}: two specifications have one name")
    return found


def _made(value: object) -> Spec | None:
    """What a function ``def monitor() -> Spec`` returns."""
    if not inspect.isfunction(value) or inspect.signature(value).parameters:
        return None
    if value.__annotations__.get("return") not in (Spec, "Spec"):
        return None
    made = value()
    return made if isinstance(made, Spec) else None


def run_monitor(given: Given) -> int:
    """``revet check monitor.py``: every property with its own answer; 0 all proved, 1 one refuted, 3 else."""
    for name in _REFUSED:
        if getattr(given, name):
            raise UsageError(f"--{name.replace('_', '-')} is not for monitors in Python")
    if len(given.files) > 1 or given.language:
        raise UsageError("a monitor in Python is one file, without options of other languages")
    options = dict(key_value(option, f"-O {option}: write KEY=VALUE") for option in given.options)
    proofs: list[tuple[Spec, Proof]] = []
    start = launch_time()
    with ReadingTime(given.timeout, start):
        specs = read_specs(given.files[0])
    view = watch(start, log=given.log, progress=given.progress and not given.quiet)
    memory = None if given.memory is None else given.memory << 20
    until = None if given.timeout is None else start + given.timeout
    how = How(given.engine, given.engines, options, None, view, memory, until)
    with view:
        for spec, names in _asked(specs, given.property_):
            found: dict[str, Proof] = {}
            for name in names:
                proof = proof_of(spec, name, how, found)
                proofs.append((spec, proof))
                view.clear()
                if not given.json_ and not given.quiet:
                    echo(str(proof) if len(specs) == 1 else f"{spec.name}, {proof}")
    status = _status([proof for _, proof in proofs])
    word = {0: "safe", 1: "unsafe", 3: "unknown"}[status]
    if given.json_:
        answers = [_data(*one) for one in proofs]
        echo(dumps({"schema": SCHEMA, "verdict": word, "properties": answers}, indent=2))
    else:
        echo(f"verdict: {word}")
    return status


def _asked(specs: list[Spec], wanted: str | None) -> list[tuple[Spec, list[str]]]:
    if wanted is None:
        if not any(spec.properties for spec in specs):
            raise UsageError("no specification of the file has a property")
        return [(spec, list(spec.properties)) for spec in specs]
    found = [(spec, [wanted]) for spec in specs if wanted in spec.properties]
    if not found:
        known = [name for spec in specs for name in spec.properties]
        raise UsageError(no_such_property(wanted, known))
    return found


def _status(proofs: list[Proof]) -> int:
    states = {proof.status for proof in proofs}
    if "refuted" in states:
        return 1
    return 3 if "unknown" in states else 0


def _data(spec: Spec, proof: Proof) -> dict[str, object]:
    data: dict[str, object] = {
        "specification": spec.name, "property": proof.name, "status": proof.status,
        "using": [used.name for used in proof.using], "admitting": proof.admitting,
    }
    if proof.status == "unknown":
        data["reason"] = proof.reason
    if proof.answer is not None:
        data["engine"] = proof.answer.engine
    if proof.run is not None:
        data["run"] = {name: list(values) for name, values in proof.run.rows()}
    return data


def run_simulation(file: str, steps: str, compiled: bool, format_: str, output: str | None) -> int:
    """``revet simulate monitor.py N``: a table of N instants on the externs' sample data, or a picture."""
    if not steps.isdigit():
        raise UsageError(f"simulate {file}: say for how many instants, not {steps!r}")
    specs = read_specs(file)
    if format_ == "vcd":
        raise UsageError("--format vcd is not for monitors in Python")
    if format_ != "text" and len(specs) > 1:
        raise UsageError(f"--format {format_} is for one specification, and {file} has {len(specs)}")
    shown = []
    for spec in specs:
        table = spec.simulate(int(steps)) if compiled else spec.interpret(int(steps))
        shown.append(_shown(spec, table, format_))
    if output is None:
        echo("".join(shown).removesuffix("\n"))
    else:
        Path(output).write_text("".join(shown), encoding="utf-8", newline="")
    return 0


def _shown(spec: Spec, table: Table, format_: str) -> str:
    match format_:
        case "csv":
            return table.csv()
        case "svg":
            return table.svg()
    return f"{spec.name}\n{table}\n"


def run_compile(file: str, folder: str, prefix: str | None, step: str | None, verify: bool) -> int:
    """``revet compile monitor.py -o FOLDER``: header, source and an example driver for each."""
    specs = [spec for spec in read_specs(file) if _compiles(spec)]
    if len(specs) > 1 and (prefix or step):
        raise UsageError(f"--prefix and --step are for one specification, and {file} has {len(specs)}")
    states = set()
    for spec in specs:
        written = spec.compile_c(prefix=prefix, step=step).write(folder)
        echo(f"{spec.name}: {', '.join(str(path) for path in written)}")
        if verify:
            proof = spec.verify_c(prefix=prefix, step=step, folder=folder)
            states.add(proof.status)
            echo(str(proof))
    return 1 if "refuted" in states else 3 if "unknown" in states else 0


def _compiles(spec: Spec) -> bool:
    if spec.outputs():
        return True
    echo(f"{spec.name} has neither triggers nor observers: nothing to compile", err=True)
    return False
