"""Stand-ins have what loading needs and give way to the real modules."""

from __future__ import annotations

import subprocess
import sys


def _run(code: str) -> str:
    return subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True,
                          env={"PYTHONPATH": ":".join(sys.path)}).stdout  # fmt: skip


def test_they_give_way_when_asked_for_more() -> None:
    found = _run(
        "import sys, revet.quickstart\n"
        "from typing import TYPE_CHECKING\n"
        "from dataclasses import dataclass\n"
        "import signal\n"
        "print(any(hasattr(sys.modules[m], '__file__') for m in ('typing', 'signal', 'dataclasses')))\n"
        "print(int(signal.SIGTERM), signal.Signals.SIGTERM.name)\n"
        "from dataclasses import asdict\n"
        "from typing import NamedTuple\n"
        "print(all(hasattr(sys.modules[m], '__file__') for m in ('typing', 'signal')))\n"
        "print(asdict.__module__, sys.modules['dataclasses'].dataclass.__module__)\n"  # stays for ours
    )
    assert found.split() == ["False", "15", "SIGTERM", "True", "dataclasses", "revet.quickstart.records"]


def test_a_class_made_before_is_a_dataclass_afterwards() -> None:
    found = _run(
        "import revet.quickstart\n"
        "from revet.events import Note\n"
        "from revet.result.certificate import Exhausted\n"
        "from revet.quickstart import records\n"
        "assert isinstance(Note.__dataclass_params__, records._Record)\n"
        "import dataclasses\n"
        "print([f.name for f in dataclasses.fields(Note)] == list(Note.__match_args__))\n"
        "print(dataclasses.replace(Exhausted(3), depth=4).depth, dataclasses.is_dataclass(Exhausted))\n"
        "@dataclasses.dataclass(frozen=True, slots=True)\n"
        "class More(Note):\n"
        "    extra: int = 0\n"
        "print([f.name for f in dataclasses.fields(More)][-1])\n"
    )
    assert found.split() == ["True", "4", "True", "extra"]
