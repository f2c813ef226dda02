"""The command line starts quickly and imports nothing heavy for its help."""

import subprocess
import sys


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
