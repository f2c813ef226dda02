"""``revet simulate``: waveforms as text, SVG and VCD, from AIGER and BTOR2 witnesses."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from revet.cli.commands import revet
from tests.frontends.btor2.test_btor2 import COUNTER, MEMORY


@pytest.fixture
def counter(tmp_path: Path) -> Path:
    path = tmp_path / "counter.btor2"
    path.write_text(COUNTER.format(limit=12))
    return path


def run(*words: object) -> tuple[int, str]:
    result = CliRunner().invoke(revet, [str(word) for word in words], standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    return int(result.return_value or 0), result.output


def test_btor2_and_its_circuit(counter: Path, tmp_path: Path) -> None:
    """The same run, word by word and bit by bit."""
    witness, circuit, bits = tmp_path / "w.txt", tmp_path / "c.aag", tmp_path / "bits.txt"
    assert run("check", "-e", "bmc", counter, "--witness", witness)[0] == 1
    status, text = run("simulate", counter, witness)
    assert status == 0
    assert any(line.split() == ["count", *"0123456789"] for line in text.splitlines())
    assert run("show", "--format", "aiger", counter, "-o", circuit)[0] == 0
    assert run("check", "-e", "pdr", circuit, "--witness", bits)[0] == 1
    status, text = run("simulate", circuit, bits)
    assert status == 0 and "count[0]   _▔_▔_▔_▔_▔" in text
    assert run("validate", circuit, bits)[0] == 0


def test_arrays_in_witnesses(tmp_path: Path) -> None:
    file, witness = tmp_path / "memory.btor2", tmp_path / "w.txt"
    file.write_text(MEMORY.format(largest=201))
    assert run("check", "-e", "bmc", file, "--witness", witness)[0] == 1
    assert run("simulate", file, witness)[0] == 0


def test_svg_and_vcd(counter: Path, tmp_path: Path) -> None:
    witness = tmp_path / "w.txt"
    run("check", "-e", "bmc", counter, "--witness", witness)
    image, dump = tmp_path / "w.svg", tmp_path / "w.vcd"
    run("simulate", counter, witness, "--format", "svg", "-o", image)
    assert "count" in "".join(ElementTree.fromstring(image.read_text()).itertext())
    run("simulate", counter, witness, "--format", "vcd", "-o", dump)
    lines = dump.read_text().splitlines()
    assert "$var wire 4 \" count $end" in lines and "b1001 \"" in lines and lines[-1] == "#10"


def test_a_run_that_is_none_is_rejected(counter: Path, tmp_path: Path) -> None:
    witness = tmp_path / "w.txt"
    run("check", "-e", "bmc", counter, "--witness", witness)
    witness.write_text(witness.read_text().replace("0 1 enable#3", "0 0 enable#3"))
    assert run("simulate", counter, witness)[0] == 1
