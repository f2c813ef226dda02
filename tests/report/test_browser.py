"""The HTML report in a real browser (Debian's ``chromium``); skipped where there is none."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from revet.report.html import html_report
from tests.report.answers import answered

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no chromium")

_DRIVER = """
<script>
window.addEventListener("error", (e) => document.body.dataset.failed = e.message);
const press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
%s
</script></body>"""


def dom_after(script: str, name: str, tmp_path: Path) -> str:
    """The document after the page's own script and then ``script`` have run."""
    assert BROWSER is not None
    page = tmp_path / "page.html"
    answer, history = answered(name)
    page.write_text(html_report(answer, history).replace("</body>", _DRIVER % script))
    command = [
        BROWSER, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}",
        "--virtual-time-budget=2000", "--dump-dom", page.as_uri(),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    dom = done.stdout
    assert "data-failed" not in dom.split("<body", 1)[1].split(">", 1)[0], dom[:400]
    return dom


def where(dom: str) -> str:
    found = re.search(r'id="where"[^>]*>([^<]*)<', dom)
    assert found
    return found[1]


def test_arrow_keys_and_buttons_step(tmp_path: Path) -> None:
    script = (
        'press("End"); press("ArrowLeft"); press("ArrowLeft"); press("ArrowRight");'
        'document.querySelector("[data-go=back]").click();'
    )
    dom = dom_after(script, "c/traffic_light.c", tmp_path)
    position, length = map(int, re.findall(r"\d+", where(dom)))  # how long depends on the engine
    assert position == length - 2 > 10
    marked = re.findall(r'<tr id="f0l(\d+)" class="([^"]*)"', dom)
    assert ("17", "error-line now") in marked
    assert re.search(r'"changed"><th scope="row">east</th><td[^>]*>GREEN</td><td[^>]*>RED</td>', dom)
    assert 'class="edge run here"' in dom


def test_the_first_step_cannot_go_back(tmp_path: Path) -> None:
    dom = dom_after('press("ArrowLeft");', "theta/overfull.cfa", tmp_path)
    assert where(dom).startswith("step 0 of")
    assert re.search(r'data-go="first"[^>]*disabled', dom)
    assert not re.search(r'data-go="on"[^>]*disabled', dom)


def test_instants_step(tmp_path: Path) -> None:
    dom = dom_after('press("Home"); press("ArrowRight");', "lustre/speed.lus", tmp_path)
    assert where(dom).startswith("instant 1 of")
    assert set(re.findall(r'data-i="(\d+)" class="[^"]*now', dom)) == {"1"}


def test_a_proof_runs_without_script_errors(tmp_path: Path) -> None:
    assert "Why it holds" in dom_after("", "aut/ferry.aut", tmp_path)
