"""``docs/c-library.md``, written from the table: ``python -m revet.frontends.c.library.page``."""

from __future__ import annotations

from revet.frontends.c.library.table import Row, Treatment, rows

_HEAD = """# The C library

How Revet treats functions that a program calls and does not define. This page is written from the table
in `src/revet/frontends/c/library/tables` (`python -m revet.frontends.c.library.page > docs/c-library.md`).

| treatment | what it means |
|---|---|
| exact | as the standard says, in a proof and in a run |
| sign | exact where the result's sign is asked for; where its size decides, the compiled program tells |
| truth | the same for results of which only the truth is determined |
| bounds | within guaranteed bounds in a proof; where the value decides, the compiled program tells |
| model | any value in a proof, the exact value in a run |
| print | writes to a stream and changes no memory; writing is assumed to succeed |
| input | from outside: any value in the documented range |
| quiet | without effect on what is checked |
| refused | an error with the place of the call |

A function of one of these names that is declared unlike its header is refused, and so is every other function
that a header of the system declares and every other builtin of the compiler. Any other function without a
body is the user's own: it returns any value and changes nothing, and the answer lists this as an assumption.
"""


def page() -> str:
    """The text of the page."""
    lines = [_HEAD]
    headers: dict[tuple[str, str], list[Row]] = {}
    for row in rows().values():
        headers.setdefault((row.header, row.origin), []).append(row)
    for (header, origin), found in headers.items():
        title = header.strip("<>")
        lines.append(f"## {title}" if origin in ("verifier", "compiler") else f"## `{header}` ({origin})")
        known = [row for row in found if row.treatment is not Treatment.REFUSED]
        if known:
            lines += ["", "| function | treatment | remarks |", "|---|---|---|"]
            lines += [f"| `{row.prototype}` | {row.treatment.value} | {row.note} |" for row in known]
        refused = [row for row in found if row.treatment is Treatment.REFUSED]
        if refused:
            names = ", ".join(f"`{row.name}`" + (f" ({row.note})" if row.note else "") for row in refused)
            lines += ["", f"Refused: {names}."]
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    print(page(), end="")
