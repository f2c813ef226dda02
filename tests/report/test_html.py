"""The HTML report, without a browser: well-formed, self-contained, escaped, with the right data."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from revet.api import check
from revet.driver.answer import Answer
from revet.logic import build as b
from revet.logic.pretty import format_value
from revet.logic.sorts import INT
from revet.model.relation import Relation
from revet.model.system import TransitionSystem
from revet.report.history import History
from revet.report.html import html_report
from revet.report.html.graph import fold
from revet.report.html.highlight import highlighted_lines
from revet.report.html.source import conjuncts
from revet.result.trace import CfaTrace
from revet.result.verdict import Unknown, Unsafe
from tests.report.answers import EXAMPLES, SAFE, UNSAFE, answered

_VOID = {"meta", "br", "link", "img", "input", "hr"}


class Page(HTMLParser):
    """Checks that elements nest, and keeps what the tests ask about."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: list[str] = []
        self.references: list[str] = []
        self.handlers: list[str] = []
        self.scripts: list[str] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name == "id":
                self.ids.append(value or "")
            if name in ("src", "href", "action", "data", "xlink:href"):
                self.references.append(value or "")
            if name.startswith("on"):
                self.handlers.append(name)
        if tag == "script":
            self.scripts.append("")
        if tag not in _VOID and not self.get_starttag_text().endswith("/>"):  # type: ignore[union-attr]
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open.pop() == tag, f"</{tag}> closes something else"

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attributes)

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            self.scripts[-1] += data
        elif self.open and self.open[-1] != "style":
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(self.words)


def page_of(answer: Answer, history: History | None = None) -> Page:
    return Page(html_report(answer, history, ["revet", "check", "a file"]))


@pytest.mark.parametrize("name", [*UNSAFE, *SAFE])
def test_pages_are_whole_and_need_no_network(name: str) -> None:
    answer, history = answered(name)
    text = html_report(answer, history, ["revet", "check", name])
    page = Page(text)
    assert page.references == [] and page.handlers == []
    assert len(page.ids) == len(set(page.ids))
    assert not re.search(r"@import|url\((?!#)", text)
    assert {"source", "checked", "assumptions", "progress"} <= set(page.ids)
    assert ("run" in page.ids) == (answer.status == "unsafe")
    assert ("proof" in page.ids) == (answer.status == "safe")
    assert answer.status in page.text and answer.engine in page.text
    assert name.rsplit("/", 1)[1] in page.text
    assert answer.checked is not None
    for note in answer.checked.notes:
        assert note in page.text
    assert len(page.scripts) == 2
    json.loads(page.scripts[0])


def test_steps_of_an_automaton_lead_to_the_traces_states() -> None:
    answer = check(EXAMPLES / "theta/overfull.cfa", engine="bmc", timeout=60)  # short: nothing is folded
    assert isinstance(answer.verdict, Unsafe)
    trace = answer.verdict.trace
    assert isinstance(trace, CfaTrace)
    data = json.loads(page_of(answer).scripts[0])
    assert data["kind"] == "steps" and len(data["steps"]) == len(trace)
    values = dict(data["start"])
    for step, edge, state in zip(data["steps"], trace.edges, trace.states[1:], strict=True):
        assert edge.position is not None and step["l"] == edge.position.line and step["f"] == 0
        values.update(dict(step["c"]))
        assert values == {x.name: format_value(value, x.sort) for x, value in state.items()}
        assert isinstance(step["e"], int)


def test_steps_of_c_are_the_sources() -> None:
    answer, _ = answered("c/traffic_light.c")
    data = json.loads(page_of(answer).scripts[0])
    assert [step["l"] for step in data["steps"]][:4] == [9, 10, 11, 12]
    assert data["steps"][-1]["l"] == 17 and "__VERIFIER_error" in data["ending"]
    values: dict[str, str] = {}
    for step in data["steps"]:
        values.update(dict(step["c"]))
    assert values["east"] == "GREEN" and values["north"] != "RED"


def test_streams_are_a_table() -> None:
    answer, _ = answered("lustre/speed.lus")
    page = page_of(answer)
    data = json.loads(page.scripts[0])
    assert data["kind"] == "streams" and data["instants"] == 5
    for stream in ("pulse", "shown", "driven"):
        assert stream in page.words
    assert "is false at instant 4" in page.text


def test_an_invariant_stands_at_its_line() -> None:
    answer, _ = answered("theta/thermostat.cfa")
    text = html_report(answer)
    row = text.index('<tr class="inv">')
    assert "degrees" in text[row : row + 400]
    assert 'id="f0l8"' in text[row : row + 600]  # loc loop


_CALLS = """extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_error(void);
int total;
void add(int *where, int n) { *where = *where + n; total = total + 1; }
int sum(int n) { int r = 0; if (n > 0) { r = sum(n - 1); add(&r, n); } return r; }
int main(void) { int k = __VERIFIER_nondet_int(); if (k != 2) return 0; if (sum(k) == 3) __VERIFIER_error(); }
"""


def test_variables_belong_to_their_calls(tmp_path: Path) -> None:
    path = tmp_path / "calls.c"
    path.write_text(_CALLS)
    data = json.loads(page_of(check(path, timeout=60)).scripts[0])
    values: dict[str, str] = {}
    for step in data["steps"]:
        values.update(dict(step["c"]))
    assert values["total"] == "2" and values["k"] == "2"  # one global, whoever writes it
    assert values["sum#1: r"] == "3" and values["sum#2: r"] == "1" and values["sum#3: r"] == "0"
    assert values["sum#1: n"] == "2" and values["sum#3: n"] == "0" and "n" not in values


_RECURSION = """extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_error(void);
int up(int n) { if (n <= 0) return 0; return 1 + up(n - 1); }
int main(void) { int k = __VERIFIER_nondet_int(); if (k < 0) return 0; if (up(k) != k) __VERIFIER_error(); }
"""


def test_contracts_of_procedures_are_shown(tmp_path: Path) -> None:
    path = tmp_path / "up.c"
    path.write_text(_RECURSION)
    answer = check(path, timeout=60, property="assertions")
    assert answer.status == "safe"
    page = page_of(answer)
    assert "proof" in page.ids and ("keeps its contract" in page.text) == (answer.engine == "summaries")


_HOSTILE = """extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_error(void);
/* </script><script>alert(1)</script> {{data}} &amp; */
int main(void) {
  char *text = "</script><img src=x onerror=alert(1)>{{style}}";
  int k = __VERIFIER_nondet_int();
  if (k == 3 && text[0] == '<') __VERIFIER_error();
}
"""


def test_everything_is_escaped(tmp_path: Path) -> None:
    path = tmp_path / "a<b>&\"'.c"
    path.write_text(_HOSTILE)
    answer = check(path, timeout=60)
    page = page_of(answer)
    assert page.references == [] and page.handlers == []
    assert len(page.scripts) == 2 and "b>" in page.text
    assert "</script><script>alert(1)</script> {{data}} &amp;" in page.text
    assert json.loads(page.scripts[0])["kind"] == "steps"


def test_an_unknown_answer_says_why() -> None:
    answer, history = answered("spa/lock.spa")
    unknown = Answer(answer.program, Unknown("time is <up>", 7), "portfolio", None, 1.0)
    page = page_of(unknown, history)
    assert "time is <up>" in page.text and "no violation within 7 steps" in page.text


def test_a_model_from_python_has_a_page() -> None:
    x = b.var("x", INT)
    system = TransitionSystem((x,), x.eq(0), Relation(updates={x: x + 1}), {"small": x <= 3})
    answer = check(system, timeout=60)
    page = page_of(answer)
    assert "no source file" in page.text and "small is violated at instant 4" in page.text


def test_a_source_that_is_gone_is_no_crash(tmp_path: Path) -> None:
    path = tmp_path / "gone.spa"
    path.write_text((Path(__file__).parents[2] / "examples/spa/lock.spa").read_text())
    answer = check(path, timeout=60)
    path.unlink()
    assert "cannot be read any more" in page_of(answer).text


def test_folding_keeps_every_edge_and_branch() -> None:
    answer, _ = answered("c/traffic_light.c")
    cfa = answer.program.model
    folded, place = fold(cfa)  # type: ignore[arg-type]
    assert set(place) == set(cfa.edges)  # type: ignore[union-attr]
    assert set(place.values()) == set(folded.edges)
    assert folded.initial is cfa.initial and folded.errors == cfa.errors  # type: ignore[union-attr]
    assert len(folded.locations) < len(cfa.locations)  # type: ignore[union-attr]


@pytest.mark.parametrize("language", ["C", "lustre", "spa", "theta"])
@pytest.mark.parametrize(
    "text",
    ["int x; /* a\nb */ 'c' \"d\\\"\n// e\n#define f 1\n", "-- a\nnode n(*b\nc*) 1.5\n", "<&>\n\n", "", "/*"],
)
def test_colours_change_no_text(language: str, text: str) -> None:
    from html import unescape

    lines = highlighted_lines(text, language)
    assert [unescape(re.sub(r"<[^>]*>", "", line)) for line in lines] == text.splitlines()
    for line in lines:
        assert line.count("<span") == line.count("</span>")


def test_conjuncts() -> None:
    assert conjuncts("(a <= 1) && (b || c)") == ["a <= 1", "∧ b || c"]
    assert conjuncts("a and b or c") == ["a and b", "∨ c"]
    assert conjuncts("(a && (b || c)) || (d)") == ["a && (b || c)", "∨ d"]
    assert conjuncts("(a) + (b)") == ["(a) + (b)"]


def test_history_keeps_turns_and_totals() -> None:
    from revet.events import Progress, Turn

    now = 0.0
    history = History(lambda: now)
    for at, event in [
        (1.0, Turn("a", "runs")), (1.5, Progress("a", 1, 2, 0, 5)), (2.0, Turn("a", "waits")),
        (3.0, Turn("a", "runs")), (4.0, Turn("a", "ended", "gave up")),
    ]:
        now = at
        history(event)
    course = history.courses["a"]
    assert course.turns == [(1.0, 2.0), (3.0, 4.0)] and course.seconds(9) == 2.0
    assert course.outcome == "gave up" and course.samples[0].queries == 5
