"""Runs as waveforms: text for a terminal, SVG for a page, VCD for GTKWave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from revet.errors import UsageError
from revet.logic.sorts import BOOL, BitVecSort
from revet.model.kind import Model
from revet.report.circuit import signals as circuit_signals
from revet.result.trace import CircuitTrace, SystemTrace, Trace


@dataclass(frozen=True, slots=True)
class Signal:
    """A value for every step; None where the run says nothing (an input after the last step)."""

    name: str
    width: int
    values: tuple[int | None, ...]


def signals_of(model: Model, trace: Trace) -> list[Signal]:
    """Inputs and latches of a circuit; Booleans and bit-vectors of a transition system."""
    if isinstance(trace, CircuitTrace):
        return [Signal(name, 1, tuple(values)) for name, values in circuit_signals(model, trace)]
    if not isinstance(trace, SystemTrace):
        raise UsageError("only runs of circuits and transition systems have a waveform")
    # What the first state and the first step name, in the order of their names.
    found: list[Signal] = []
    steps = range(len(trace.states))
    for rows in (trace.inputs, trace.states):
        for x in sorted(rows[0] if rows else (), key=lambda variable: variable.name):
            if x.sort is not BOOL and not isinstance(x.sort, BitVecSort):
                continue
            values = tuple(_number(rows[n].get(x)) if n < len(rows) else None for n in steps)
            found.append(Signal(x.name, x.sort.width if isinstance(x.sort, BitVecSort) else 1, values))
    return found


def _number(value: object) -> int | None:
    return int(value) if isinstance(value, int) else None


def text_waveform(signals: Sequence[Signal]) -> str:
    """A line a signal: bits low ``_`` and high ``▔``, words in hexadecimal where they change."""
    cell = max([1, *((s.width + 3) // 4 + 1 for s in signals if s.width > 1)])
    names = max((len(s.name) for s in signals), default=0)
    steps = max((len(s.values) for s in signals), default=0)
    ruler = "".join(str(n)[-cell:].ljust(cell) if cell > 1 else str(n % 10) for n in range(steps))
    lines = [f"{'':{names}}  {ruler}".rstrip()]
    for signal in signals:
        drawn, before = [], None
        for value in signal.values:
            if value is None:
                drawn.append(" " * cell)
            elif signal.width == 1:
                drawn.append(("▔" if value else "_") * cell)
            else:
                drawn.append((f"{value:x}" if value != before else ".").ljust(cell))
            before = value
        lines.append(f"{signal.name:{names}}  {''.join(drawn)}".rstrip())
    return "\n".join(lines)


_STEP, _ROW, _HIGH = 36, 26, 16  # pixels


def svg_waveform(signals: Sequence[Signal]) -> str:
    margin = 16 + 8 * max((len(s.name) for s in signals), default=0)
    steps = max((len(s.values) for s in signals), default=0)
    width, height = margin + _STEP * steps + 10, _ROW * (len(signals) + 1) + 10
    style = 'font-family="monospace" font-size="12"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" {style}>',
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for n in range(steps):
        x = margin + n * _STEP
        parts.append(f'<text x="{x + 2}" y="16" fill="gray">{n}</text>')
        parts.append(f'<line x1="{x}" y1="20" x2="{x}" y2="{height - 5}" stroke="#eeeeee"/>')
    for row, signal in enumerate(signals, 1):
        base = _ROW * row + 20
        parts.append(f'<text x="6" y="{base - 3}">{escape(signal.name)}</text>')
        parts += _bits(signal, margin, base) if signal.width == 1 else _words(signal, margin, base)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _bits(signal: Signal, left: int, base: int) -> list[str]:
    points = []
    for n, value in enumerate(signal.values):
        if value is not None:
            y = base - (_HIGH if value else 0)
            points += [f"{left + n * _STEP},{y}", f"{left + (n + 1) * _STEP},{y}"]
    return [f'<polyline points="{" ".join(points)}" fill="none" stroke="#1f6f3f" stroke-width="1.5"/>']


def _words(signal: Signal, left: int, base: int) -> list[str]:
    parts: list[str] = []
    start = 0
    for n in range(1, len(signal.values) + 1):
        if n < len(signal.values) and signal.values[n] == signal.values[start]:
            continue
        value = signal.values[start]
        if value is not None:
            x, wide = left + start * _STEP, (n - start) * _STEP
            parts.append(f'<rect x="{x}" y="{base - _HIGH}" width="{wide}" height="{_HIGH}" fill="none" '
                         'stroke="#1f4f8f"/>')
            parts.append(f'<text x="{x + 3}" y="{base - 4}">{value:x}</text>')
        start = n
    return parts


def vcd(signals: Sequence[Signal], module: str) -> str:
    """A value change dump; one time unit a step."""
    plain = "".join(c if c.isalnum() else "_" for c in module) or "top"
    lines = ["$timescale 1 ns $end", f"$scope module {plain} $end"]
    codes = [_code(n) for n in range(len(signals))]
    for signal, code in zip(signals, codes, strict=True):
        name = "_".join(signal.name.split()) or "unnamed"
        lines.append(f"$var wire {signal.width} {code} {name} $end")
    lines += ["$upscope $end", "$enddefinitions $end"]
    steps = max((len(s.values) for s in signals), default=0)
    for step in range(steps):
        lines.append(f"#{step}")
        for signal, code in zip(signals, codes, strict=True):
            value = signal.values[step]
            if step and value == signal.values[step - 1]:
                continue
            if signal.width == 1:
                lines.append(f"{'x' if value is None else value}{code}")
            else:
                lines.append(f"b{'x' if value is None else format(value, 'b')} {code}")
    return "\n".join([*lines, f"#{steps}"]) + "\n"


def _code(number: int) -> str:
    """Short identifiers of printable characters, as VCD wants them."""
    code = chr(33 + number % 94)
    while number >= 94:
        number = number // 94 - 1
        code += chr(33 + number % 94)
    return code
