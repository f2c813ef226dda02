"""The command line's contract: last line, exit status, one message for bad input, no traceback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


def revet(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "revet", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


ANSWERS = [
    ("spa/lock.spa", "verdict: safe", 0),
    ("spa/countdown.spa", "verdict: unsafe (assert@7)", 1),
    ("seeds/graph_A.aut", "verdict: unsafe (lE)", 1),
    ("seeds/graph_B.cfa", "verdict: safe", 0),
    ("lustre/two_counters.lus", "verdict: safe", 0),
    ("lustre/speed.lus", "verdict: unsafe (ok)", 1),
    ("c/ring_buffer.c", "verdict: safe", 0),
    ("c/traffic_light.c", "verdict: unsafe (__VERIFIER_error@traffic_light.c:17)", 1),
]


@pytest.mark.parametrize(("example", "last", "status"), ANSWERS)
def test_every_language_is_answered(example: str, last: str, status: int) -> None:
    done = revet("check", "--timeout", "60", EXAMPLES / example)
    assert done.stdout.splitlines()[-1] == last
    assert done.returncode == status
    assert done.stderr == ""


def test_undecided_is_exit_status_3_and_says_what_is_known(tmp_path: Path) -> None:
    to, kept = EXAMPLES / "lustre/two_counters.lus", tmp_path / "kept.json"
    done = revet("check", "--engine", "bmc", "-O", "bound=2", "--save", kept, to)
    assert done.returncode == 3
    assert done.stderr == f"revet: note: {kept} is not written: the answer unknown has no evidence\n"
    assert done.stdout.splitlines()[-1].startswith("verdict: unknown (no violation within 2")
    assert "no violation within 2 steps" in done.stdout


def test_json_is_one_object_and_nothing_else() -> None:
    done = revet("check", "--json", EXAMPLES / "spa/countdown.spa")
    data = json.loads(done.stdout)
    assert data["schema"] == 2 and data["verdict"] == "unsafe"
    assert data["trace"]["violated"] == "assert@7" and data["checked"]["accepted"] is True


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no/such/file.lus"], "no/such/file.lus: no such file"),
        (["--engine", "magic", EXAMPLES / "spa/lock.spa"], "there is no engine magic"),
        (["--colour", EXAMPLES / "spa/lock.spa"], "--colour"),
        (["--html", "/no/such/folder/x.html", EXAMPLES / "spa/lock.spa"], "cannot write"),
        (["--property", "termination", EXAMPLES / "spa/lock.spa"], "termination cannot be checked"),
    ],
)
def test_with_json_an_error_is_one_value_too(arguments: list[str | Path], message: str) -> None:
    done = revet("check", "--json", *arguments)
    assert done.returncode == 2 and message in done.stderr
    data = json.loads(done.stdout)
    assert message in data["error"]["message"] and "verdict" not in data


def test_with_json_the_place_of_an_error_is_data(tmp_path: Path) -> None:
    path = tmp_path / "bad.spa"
    path.write_text("int x;\ny = 1;\n")
    error = json.loads(revet("check", "--json", path).stdout)["error"]
    assert error["position"] == {"file": str(path), "line": 2, "column": 1}


def test_each_property_gets_its_own_line(tmp_path: Path) -> None:
    path = tmp_path / "two.spa"
    path.write_text("int x;\nx = 3;\nassert(x == 3);\nassert(x == 4);\n")
    done = revet("check", "--each", path)
    assert done.stdout.splitlines() == [
        "assert@3: safe", "assert@4: unsafe (assert@4)", "verdict: unsafe",
    ]
    assert revet("check", "--property", "assert@3", path).returncode == 0


BAD_FILES = {
    "empty.aut": b"",
    "binary.spa": b"\x00\x01\x02\x03" * 50,
    "binary.lus": bytes(range(256)),
    "unknown_variable.spa": b"int x;\ny = 1;\n",
    "type_error.cfa": b"main process p { var b : bool init loc A error loc E A -> E { b := 3 } }",
    "no_initial.aut": b"P { var x; final q; from p | x := 1 --> q; }",
    "no_initial.cfa": b"main process p { var b : bool loc A error loc E A -> E { assume b } }",
    "syntax.c": b"int main(void) { int x = ; return 0; }",
    "no_main.c": b"int f(void) { return 0; }",
    "empty.lus": b"",
    "empty.bpl": b"// nothing\n",
    "what.xyz": b"x",
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_malformed_input_is_one_message_and_exit_status_2(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(BAD_FILES[name])
    done = revet("check", path)
    assert done.returncode == 2, done.stdout
    assert done.stderr.startswith("revet: ") and name in done.stderr
    assert "Traceback" not in done.stderr + done.stdout
    assert done.stdout == ""


BAD_USE = [
    (["check"], "Missing argument"),
    (["check", "no/such/file.c"], "no such file"),
    (["check", str(EXAMPLES)], "directory"),
    (["check", str(EXAMPLES / "spa/lock.spa"), str(EXAMPLES / "c/ring_buffer.c")], "ring_buffer.c is c: "),
    (["check", "--engine", "magic", str(EXAMPLES / "spa/lock.spa")], "no engine magic; there are"),
    (["check", "--engines", "kind,magic", str(EXAMPLES / "spa/lock.spa")], "no engine magic; there are"),
    (["check", "--engine", "kindd", str(EXAMPLES / "spa/lock.spa")], "did you mean kind?"),
    (["check", "--engines", "kind:colour=red", str(EXAMPLES / "spa/lock.spa")], "has no option colour"),
    (["check", "--engines", "kind:fast", str(EXAMPLES / "spa/lock.spa")], "NAME:KEY=VALUE"),
    (["check", "--engines", "kind,", str(EXAMPLES / "spa/lock.spa")], "choose from: pdr"),
    (["check", "--engines", "kind", "-O", "max-k=1", str(EXAMPLES / "spa/lock.spa")], "NAME:KEY=VALUE"),
    (["check", "--engines", "kind", "-e", "bmc", str(EXAMPLES / "spa/lock.spa")], "exclude each other"),
    (["check", "-e", "bmc", "-O", "strategy=best", str(EXAMPLES / "spa/lock.spa")], "global, depth-first"),
    (["check", "-e", "bmc", "-O", "colour=red", str(EXAMPLES / "spa/lock.spa")], "has no option colour"),
    (["check", "-O", "bound=3", str(EXAMPLES / "spa/lock.spa")], "--engine NAME"),
    (["check", "--timeout", "soon", str(EXAMPLES / "spa/lock.spa")], "not a valid float"),
    (["check", "--property", "nonsense", str(EXAMPLES / "spa/lock.spa")], "there is no property nonsense"),
    (["check", "-p", "termination", str(EXAMPLES / "spa/lock.spa")], "a run ends; there are: assert@7"),
    (["check", "-p", "termination", str(EXAMPLES / "c/ring_buffer.c")], "ends; there are: unreach-call, "),
    (["check", "-p", "t.prp", str(EXAMPLES / "lustre/speed.lus")], "property files are for C"),
    (["check", "--harness", "h.c", str(EXAMPLES / "spa/countdown.spa")], "none for this input language"),
    (["check", "--save", "/no/such/dir/x", str(EXAMPLES / "spa/countdown.spa")], "/no/such/dir/x"),
    (["validate", str(EXAMPLES / "spa/lock.spa"), "no.json"], "no such file"),
    (["show", "--stage", "blocks", str(EXAMPLES / "lustre/speed.lus")], "is for automata"),
    (["wat"], "No such command"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD_USE)
def test_wrong_use_is_one_message_and_exit_status_2(arguments: list[str], message: str) -> None:
    done = revet(*arguments)
    assert done.returncode == 2
    assert message in done.stderr and "Traceback" not in done.stderr


def test_other_languages_and_lines_that_no_terminal_should_see(tmp_path: Path) -> None:
    program, circuit = tmp_path / "x.cpp", tmp_path / "x.aag"
    program.write_text("int main() { return 0; }")
    circuit.write_bytes(b"a\x1b[2Jg 1 0 1 0 0 1\n")
    assert "this looks like C++; Revet reads C" in revet("check", program).stderr
    seen = revet("check", circuit).stderr
    assert "a\N{REPLACEMENT CHARACTER}[2Jg" in seen and "\x1b" not in seen


def test_an_unreadable_file(tmp_path: Path) -> None:
    path = tmp_path / "secret.spa"
    path.symlink_to(tmp_path / "nowhere.spa")
    done = revet("check", path)
    assert done.returncode == 2 and "no such file" in done.stderr


def test_timeout_holds_and_leaves_what_is_known(tmp_path: Path) -> None:
    path = tmp_path / "hard.spa"
    path.write_text(
        "int a, b, c, n;\nwhile (nondet()) { n = n + 1; }\n"
        "assert(!(a > 1 && b > 1 && c > 1 && a*a*a + b*b*b == c*c*c));\n"
    )
    done = revet("check", "--timeout", "3", path)
    assert done.returncode == 3
    assert done.stdout.splitlines()[-1].startswith("verdict: unknown (")


def test_saved_evidence_is_accepted_and_altered_evidence_rejected(tmp_path: Path) -> None:
    model, proof = EXAMPLES / "seeds/graph_B.cfa", tmp_path / "proof.json"
    assert revet("check", "--engine", "pdr-cfa", "--save", proof, model).returncode == 0
    assert revet("validate", model, proof).returncode == 0
    data = json.loads(proof.read_text())
    data["locations"] = dict.fromkeys(data["locations"], "true")
    proof.write_text(json.dumps(data))
    done = revet("validate", model, proof)
    assert done.returncode == 1 and "rejected" in done.stdout
    proof.write_text('{"revet": 1, "kind": "invariants", "locations": {"nowhere": "true"}}')
    done = revet("validate", model, proof)
    assert done.returncode == 2 and "nowhere" in done.stderr


@pytest.mark.parametrize("stage", ["source", "reduced", "blocks", "system"])
def test_show_prints_every_stage(stage: str) -> None:
    done = revet("show", "--stage", stage, EXAMPLES / "spa/lock.spa")
    assert done.returncode == 0
    assert ("transition system" if stage == "system" else "automaton") in done.stdout


def test_show_draws(tmp_path: Path) -> None:
    dot = revet("show", "--format", "dot", EXAMPLES / "seeds/lock.aut").stdout
    assert dot.startswith("digraph") and "doublecircle" in dot
    picture = tmp_path / "lock.svg"
    assert revet("show", "--format", "svg", "-o", picture, EXAMPLES / "seeds/lock.aut").returncode == 0
    assert picture.read_text().startswith("<svg")


def test_show_reads_linear_clauses_as_an_automaton() -> None:
    clauses = EXAMPLES / "horn/race.smt2"
    assert revet("show", "--format", "dot", clauses).stdout.startswith("digraph")
    assert revet("show", "--stage", "system", clauses).stdout.startswith("transition system")


def test_engines_are_listed_and_explained() -> None:
    listed = revet("engines").stdout
    assert "bmc" in listed and "pdr-cfa" in listed and "portfolio" in listed
    explained = revet("engines", "bmc").stdout
    assert "strategy" in explained and "depth-first" in explained
    assert "``" not in explained and "===" not in explained  # nobody reads markup in a terminal


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_end_the_whole_family_with_a_verdict_line(tmp_path: Path, number: signal.Signals) -> None:
    path = tmp_path / "hard.spa"
    path.write_text("int a, b, c;\nwhile (nondet()) { a = a + 1; }\nassert(a*a*a + b*b*b != c*c*c + 42);\n")
    process = subprocess.Popen(
        [sys.executable, "-m", "revet", "check", str(path)], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    time.sleep(3)
    process.send_signal(number)
    out, _ = process.communicate(timeout=20)
    assert process.returncode == 3 and out.splitlines()[-1] == "verdict: unknown (interrupted)"
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)  # nobody of the process group is left


EARLY = {"schema": 2, "verdict": "unknown", "reason": "time was up before the program was read"}


@pytest.mark.parametrize(("options", "wanted"), [(("--json",), EARLY), (("--json", "--each"), [EARLY])])
def test_json_is_one_value_also_where_time_is_up_while_reading(
    tmp_path: Path, options: tuple[str, ...], wanted: object
) -> None:
    path = tmp_path / "never.spa"
    os.mkfifo(path)
    done = revet("check", "--timeout", "1", *options, path)
    assert (json.loads(done.stdout), done.returncode) == (wanted, 3)


def test_the_time_limit_holds_while_the_program_is_read(tmp_path: Path) -> None:
    path = tmp_path / "never.spa"
    os.mkfifo(path)  # nobody will ever write to it
    done = revet("check", "--timeout", "1", path)
    assert done.stdout == "verdict: unknown (time was up before the program was read)\n"
    assert done.returncode == 3 and done.stderr == ""


def test_an_answer_that_cannot_be_written_is_an_error_and_not_unsafe() -> None:
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "revet", "check", str(EXAMPLES / "spa/lock.spa")]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2 and "No space left" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["check", "validate", "show", "engines", "interpret"])
def test_where_nobody_reads_the_answer_no_status_says_that_something_is_wrong(
    tmp_path: Path, command: str
) -> None:
    program, proof = EXAMPLES / "spa/lock.spa", tmp_path / "proof.json"
    arguments = {
        "check": [program], "show": [program], "engines": [], "validate": [program, proof],
        "interpret": [EXAMPLES / "lustre/watch.lus", EXAMPLES / "lustre/watch.csv"],
    }  # fmt: skip
    if command == "validate":
        assert revet("check", "--quiet", "--save", proof, program).returncode == 0
    reader, writer = os.pipe()
    os.close(reader)
    whole = [sys.executable, "-m", "revet", command, *map(str, arguments[command])]
    done = subprocess.run(whole, stdout=writer, stderr=subprocess.PIPE, text=True, timeout=120, check=False)
    os.close(writer)
    assert done.returncode == 2 and done.stderr == ""


def test_what_an_answer_does_not_have_is_not_written(tmp_path: Path) -> None:
    """The verdict stands, with its exit status."""
    harness = tmp_path / "h.c"
    done = revet("check", "-q", "-e", "kind", "--harness", harness, EXAMPLES / "c/ring_buffer.c")
    assert done.returncode == 0 and done.stdout == "verdict: safe\n" and not harness.exists()
    assert "is not written: the answer safe has no harness" in done.stderr


def test_the_help_lists_every_command_once_and_whole() -> None:
    from revet.cli.click_options import COMMANDS
    from revet.cli.commands import revet as command

    assert sorted(name for rows in COMMANDS.values() for name in rows) == sorted(command.commands)
    lines = [line.strip() for line in revet("--help").stdout.splitlines()]
    for rows in COMMANDS.values():
        for name, words in rows.items():
            assert any(line.split(None, 1) == [name, words] for line in lines)
