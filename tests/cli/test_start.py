"""The command line starts quickly and imports nothing heavy for its help."""

import subprocess
import sys
from pathlib import Path


def test_help_loads_no_solver_and_no_engine() -> None:
    code = (
        "import sys; sys.argv = ['revet', '--help']\n"
        "from revet.cli import main\n"
        "try: main()\nexcept SystemExit: pass\n"
        "heavy = [m for m in sys.modules if m.split('.')[0] in "
        "('z3', 'cvc5', 'clang', 'lark', 'pysat', 'pysolvers', 'rustworkx', 'rich', 'numpy')"
        " or m.startswith(('revet.engines', 'revet.smt', 'revet.logic'))]\n"
        "print('HEAVY', heavy)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "HEAVY []" in done.stdout, done.stdout
    assert "revet check program.c" in done.stdout


def test_a_circuit_is_checked_without_what_programs_need(tmp_path: Path) -> None:
    """The SAT solver is all that it takes: no z3, no terms, no processes, and of the standard library
    little more than Python has loaded anyway (decision 52)."""
    file = tmp_path / "safe.aag"
    file.write_text("aag 1 0 1 0 0 1\n2 2\n2\n")
    code = (
        f"import sys; sys.argv = ['revet', 'check', '--quiet', {str(file)!r}]\n"
        "import revet.quickstart\n"
        "def leave(status):\n"
        "    heavy = [m for m in sys.modules if m.split('.')[0] in "
        "('z3', 'cvc5', 'clang', 'lark', 'rustworkx', 'rich', 'numpy', 'msgspec', 'hashlib', 'logging',"
        " 'click', 'collections', 'contextlib', 'ctypes', 'enum', 'functools', 'inspect',"
        " 'pathlib', 'pickle', 'random', 're', 'subprocess', 'tempfile', 'threading')"
        " or m.startswith(('revet.cache', 'revet.smt.z3', 'revet.logic', 'revet.portfolio.process'))]\n"
        "    heavy += [m for m in ('typing', 'signal', 'dataclasses')"
        " if hasattr(sys.modules[m], '__file__')]\n"  # the real one
        "    print('HEAVY', heavy, status)\n"
        "revet.quickstart._leave = leave\n"
        "import revet.portfolio.head_start; revet.portfolio.head_start.HEAD_START = 60\n"  # however busy
        "revet.quickstart.command()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert "HEAVY [] 0" in done.stdout, done.stdout + done.stderr


def test_a_time_limit_counts_from_the_call_where_somebody_else_launched_the_process(tmp_path: Path) -> None:
    """The first call of a process that had imported the commands long before was out of time and ended it."""
    file = tmp_path / "one.c"
    file.write_text("int main(void) { return 0; }\n")
    code = (
        "import time\nfrom click.testing import CliRunner\nfrom revet.cli.commands import revet\n"
        "now = time.monotonic\ntime.monotonic = lambda: now() + 1000\n"
        f"print(CliRunner().invoke(revet, ['check', '--timeout', '30', '--quiet', {str(file)!r}]).output)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "verdict: safe" in done.stdout, done.stdout
