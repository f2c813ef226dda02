"""Programs of every language, written as transition systems and clauses, keep their verdict."""

from pathlib import Path

import pytest

from revet.api import check
from revet.errors import ModelError
from revet.frontends.aiger import program_of as aiger_of
from revet.frontends.aiger.writer import write_aiger
from revet.frontends.btor2 import program_of as btor2_of
from revet.frontends.horn import program_of as horn_of
from revet.frontends.moxi import program_of as moxi_of
from revet.frontends.registry import load
from revet.frontends.vmt import program_of as vmt_of
from revet.report.formats import btor2, chc, moxi, vmt
from revet.transform.bitblast import bit_blast

EXAMPLES = Path(__file__).parents[2] / "examples"
NOTATIONS = {
    "vmt": (vmt, vmt_of), "smt2": (chc, horn_of), "moxi": (moxi, moxi_of), "btor2": (btor2, btor2_of),
}
PROGRAMS = {
    "lustre/two_counters.lus": ("kind", "safe"), "lustre/tank.lus": ("kind", "safe"),
    "boogie/ring.bpl": ("bmc", "unsafe"), "spa/countdown.spa": ("bmc", "unsafe"),
    "theta/overfull.cfa": ("bmc", "unsafe"), "btor2/accumulator.btor2": ("kind", "safe"),
    "btor2/lossy.btor2": ("bmc", "unsafe"), "sts/wrap.sts": ("kind", "unsafe"),
    "vmt/handshake.vmt": ("spacer", "safe"), "moxi/exchange.moxi": ("bmc", "unsafe"),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_keep_their_verdict(name):
    _compare(load([EXAMPLES / name]), *PROGRAMS[name])


def test_a_c_program_keeps_its_verdict(tmp_path):
    file = tmp_path / "f.c"
    file.write_text("""
        void reach_error(void);
        int main(void) {
          int state = 0, div = 7;
          while (state < 3) { state++; div = div / 2; }
          if (div == 0) reach_error();
          return 0;
        }""")
    _compare(load([file], property="assertions"), "bmc", "unsafe")


def _compare(program, engine, expected):
    first = check(program, engine=engine, timeout=120).status
    assert first == expected
    for suffix, (write, read) in NOTATIONS.items():
        try:
            text = write(program.model)
        except ModelError as reason:
            assert suffix == "btor2" and "BTOR2 has bit-vectors" in str(reason)
            continue
        again = check(read(text, Path(f"again.{suffix}")), engine=engine, timeout=120)
        assert again.status == first, (suffix, again.reason, text)
        if suffix == "btor2":
            circuit = aiger_of(write_aiger(bit_blast(program.model).model), "again.aag")
            assert check(circuit, engine="pdr", timeout=120).status == first
