"""What notebooks show."""

from __future__ import annotations

import pytest

from revet.api import Result
from revet.driver.answer import Answer
from revet.report.html import html_fragment
from revet.result.verdict import Unknown
from tests.report.answers import SAFE, UNSAFE, answered
from tests.report.test_html import Page


@pytest.mark.parametrize("name", [*UNSAFE, *SAFE])
def test_a_fragment_is_small_and_whole(name: str) -> None:
    answer, _ = answered(name)
    assert isinstance(answer, Result)
    text = answer._repr_html_()
    page = Page(text)
    assert page.scripts == [] and page.references == [] and page.ids == []
    assert answer.status in page.text and len(text) < 60_000
    assert answer.checked is not None
    assert all(note in page.text for note in answer.checked.notes)


def test_an_unknown_says_why() -> None:
    answer, _ = answered("spa/lock.spa")
    text = html_fragment(Answer(answer.program, Unknown("a < b", 3), "bmc"))
    assert "a &lt; b; no violation within 3 steps" in text


def test_the_whole_page_from_python() -> None:
    answer, _ = answered("theta/overfull.cfa")
    assert answer.html().startswith("<!DOCTYPE html>")  # type: ignore[attr-defined]


def test_proofs_of_streams() -> None:
    from revet.streams import Bool, Spec, extern, forall

    spec = Spec("s")
    on = extern("on", Bool)
    spec.prop("never < on", forall(~on))
    (proof,) = spec.prove().values()
    text = proof._repr_html_()
    Page(text)
    assert "never &lt; on" in text and "refuted" in text and "<td>true</td>" in text
