"""Damaged Boogie programs: one clear error or a checked program, never anything else."""

from __future__ import annotations

import random
import re

import pytest

from revet.errors import InputError
from revet.frontends.boogie import syntax as s
from revet.frontends.boogie.parser import parse_text
from revet.frontends.boogie.types import check

PROGRAM = """\
type ref; type Field a; type Table a b = [a]b; type word = bv8;
const unique nil, top: ref;
const limit: int; axiom limit > 0;
function {:inline true} twice(x: int) returns (int) { 2 * x }
function owner(ref) : int;
function get<a>(Field a, [Field a]a) : a;
function {:bvbuiltin "bvadd"} add(a: word, b: word) returns (word);
axiom (forall o: ref, n: int :: {owner(o)} owner(o) == n ==> n < limit);
var heap: [ref, int]int, size, left: int where size >= 0;
var table: Table int (Table int bool);
procedure step(n: int, w: word) returns (r: int, v: word)
  requires n < limit; free requires old(size) >= 0;
  modifies heap, size;
  ensures r == old(size) + n; free ensures size != 0;
{
  var i, j: int; var done: bool where !done || i == 0;
  r, size := size + n, size + 1;
  v := add(w, 3bv8)[8:4] ++ 1bv4;
  heap[nil, r] := if n > 0 then heap[top, 0] else twice(n div 2);
  outer: while (i < n) invariant i >= 0; free invariant true; {
    havoc i, done;
    while (*) { if (done) { break outer; } else if (table[i][j]) { goto out, outer; } else { return; } }
  }
  out: assert {:name "last"} (exists k: int :: k == i) && int(real(i) * 2.5e1) mod 2 == 0;
}
procedure lemma(n: int); ensures n * n >= 0;
procedure main(); modifies heap, size;
implementation main()
{
  var a: int; var b: word; var f: [int]int;
  f := (lambda k: int :: k + 1)[3 := 4];
  call a, b := step(1, 255bv8);
  call forall lemma(*);
  assume real(a) ** 1.0 == 1.0 ==> true;
}
"""
PIECES = [
    "{", "}", "(", ")", "[", "]", ";", ":", "::", ":=", "=", "==", "<", ">", "<a>", "!", "*", "**", "++", "-",
    "&&", "||", "==>", "<==", "∀", "λ", "int", "bv8", "bv0", "3bv8", "9" * 20, "1.5", "1e9", "x",
    "size", "nil", "heap", "forall", "lambda", "old", "old(", "if", "then", "else", "while", "goto", "break",
    "return", "call", "havoc", "var", "where", "type", "free", "yield", "{:a 1}", '"', "'", "/*", "//", "@",
    "\\", "é", "\t", "\r\n",
]  # fmt: skip


STRUCTS = """\
type ptr = { base, offset: int };
const nil: ptr; axiom nil == { base: 0, offset: 0 };
var heap: [ptr]{ next: ptr, value: [int]bool };
function {:const_array} all(v: ptr) returns ([int]ptr);
function at(p: ptr, by: int) returns (ptr) { { base: p!base, offset: p!offset + by } }
procedure put(p: ptr) returns (q: ptr) modifies heap;
  ensures (forall r: ptr :: r == nil || heap[r]!next != old(q));
{
  havoc q;
  heap[p]!next, heap[q]!value[3] := at(q, 1), true;
  heap[q] := if p == q then heap[p] else heap[at(p, 2)];
  call q := put(all(p)[3]);
}
"""
PROGRAMS = [PROGRAM, STRUCTS]


def test_the_programs_are_right() -> None:
    assert len(check(parse_text(PROGRAM, "a.bpl")).procedures) == 3
    assert len(check(parse_text(STRUCTS, "a.bpl")).globals) == 3


def outcome(text: str) -> bool:
    """Is the program accepted? If not, the error must be a good one."""
    try:
        program = check(parse_text(text, "a.bpl"))
    except InputError as error:
        assert error.message and "\n" not in error.message
        assert error.position is not None and error.source_line is not None
        assert error.source_line == text.split("\n")[error.position.line - 1].rstrip("\r")
        assert 1 <= error.position.column <= len(error.source_line) + 2
        return False
    for axiom in program.axioms:
        assert all(part.type is not s.UNRESOLVED for part in s.preorder(axiom.formula))
    return True


@pytest.mark.parametrize("seed", range(8))
def test_characters(seed: int) -> None:
    rng = random.Random(seed)
    accepted = 0
    for _ in range(100):
        text = rng.choice(PROGRAMS)
        for _ in range(rng.randint(1, 3)):
            start = rng.randrange(len(text))
            end = min(len(text), start + rng.choice([0, 1, 1, 3, 10]))
            text = text[:start] + rng.choice(["", *PIECES]) + text[end:]
        accepted += outcome(text)
    assert accepted < 60


@pytest.mark.parametrize("seed", range(8))
def test_tokens(seed: int) -> None:
    """Tokens exchanged, doubled and dropped get further into the parser than characters do."""
    rng = random.Random(seed)
    tokens = [re.findall(r"\s+|[\w.'~#]+|<==>|==>|:=|::|&&|\|\||[<>=!]=|.", text) for text in PROGRAMS]
    words = [token for text in tokens for token in text if not token.isspace()]
    accepted = 0
    for _ in range(100):
        mutant = list(rng.choice(tokens))
        for _ in range(rng.randint(1, 2)):
            at = rng.randrange(len(mutant))
            mutant[at] = rng.choice(["", rng.choice(words), rng.choice(words), mutant[at] + " " + mutant[at]])
        accepted += outcome("".join(mutant))
    assert accepted < 60
