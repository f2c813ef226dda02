"""The command line. The only place that prints and exits."""


def main() -> None:
    """Entry point of ``revet``."""
    from revet.cli.commands import revet

    revet(prog_name="revet")
