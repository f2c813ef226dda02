"""Names of the same thing in two copies of a design."""

from __future__ import annotations

from revet.model.twins import twins


def test_instances_and_endings_are_paired_in_order() -> None:
    names = ["ref.a", "uut.a", "clock", "uut.b[3]", "top.c_gold[1]", "ref.b[3]", "top.c_gate[1]", "ref.only"]
    assert twins(names) == [("ref.a", "uut.a"), ("uut.b[3]", "ref.b[3]"), ("top.c_gold[1]", "top.c_gate[1]")]


def test_a_third_copy_is_paired_with_the_first() -> None:
    assert twins(["a.x", "b.x", "c.x"]) == [("a.x", "b.x"), ("a.x", "c.x")]


def test_rows_bits_and_plain_names_are_no_copies() -> None:
    names = ["fifo[0].head", "fifo[1].head", "x", "y", "a.", ".b", "x_gold[0]", "x_gold[1]", "x_golden"]
    assert twins(names) == []
