"""Small Boogie programs with what must be said about them: a name, the answer, the text.

``unsafe`` is followed by the property that is violated. Each pair differs by as little as possible.
"""

from __future__ import annotations

PROGRAMS: list[tuple[str, str, str]] = [
    ("assertion", "unsafe assert@1", "procedure main() { var x: int; assert x != 3; }"),
    ("assumed", "safe", "procedure main() { var x: int; assume x > 3; assert x != 3; }"),
    ("parallel", "safe", """
        procedure main(a: int, b: int) { var x, y: int;
          x, y := a, b; x, y := y, x; assert x == b && y == a; x, y := x + y, x; assert y == b; }"""),
    ("rotated", "safe", """
        procedure main(a: int, b: int, c: int) { var x, y, z: int;
          x, y, z := a, b, c; x, y, z := y, z, x; assert x == b && y == c && z == a; }"""),
    ("loop", "safe", """
        procedure main(n: int) { var i: int; i := 0; assume n >= 0;
          while (i < n) { i := i + 1; } assert i == n; }"""),
    ("off by one", "unsafe assert@3", """
        procedure main(n: int) { var i: int; i := 0;
          while (i < n) { i := i + 1; } assert i == n; }"""),
    ("invariant is asserted", "unsafe invariant@3", """
        procedure main() { var x: int; x := 2;
          while (x > 0) invariant x > 1;
          { x := x - 1; } }"""),
    ("free invariant is assumed", "safe", """
        procedure main() { var x: int; x := 2;
          while (x > 0) free invariant x > 1;
          { x := x - 1; } assert false; }"""),
    ("while star", "unsafe assert@2", """
        procedure main() { var x: int; x := 0; while (*) { x := x + 2; } assert x != 4; }"""),
    ("goto", "safe", """
        procedure main() { var x: int;
          goto one, two;
          one: x := 1; goto end;
          two: x := 2;
          end: assert x == 1 || x == 2; }"""),
    ("goto any", "unsafe assert@5", """
        procedure main() { var x: int;
          goto one, two;
          one: x := 1; goto end; two: x := 2;
          end: assert x == 1; }"""),
    ("break", "safe", """
        procedure main() { var x: int; x := 0;
          while (true) { if (x == 3) { break; } x := x + 1; } assert x == 3; }"""),
    ("break an outer loop", "safe", """
        procedure main() { var x: int; x := 0;
          outer: while (true) { while (true) { if (x > 5) { break outer; } x := x + 1; } }
          assert x == 6; }"""),
    ("return", "unsafe ensures@2", """
        procedure main(c: bool) returns (r: int) ensures r == 1;
        { r := 0; if (c) { return; } r := 1; }"""),
    ("requires of an entry", "safe", "procedure main(x: int) requires x > 0; { assert x != 0; }"),
    ("requires at a call", "unsafe requires@1", """\
procedure main(y: int) { call p(y); }
procedure p(x: int) requires x > 0; { assert x != 0; }"""),
    ("free requires at a call", "safe", """
        procedure main(y: int) { call p(y); assert y > 0; }
        procedure p(x: int) free requires x > 0; { }"""),
    ("free call", "safe", """
        procedure main(y: int) { free call p(y); assert y > 0; }
        procedure p(x: int) requires x > 0; { }"""),
    ("the body, not the contract", "safe", """
        procedure main() { var y: int; call y := p(3); assert y == 4; }
        procedure p(x: int) returns (r: int) ensures r > x; { r := x + 1; }"""),
    ("the contract, without a body", "unsafe assert@2", """
        procedure main() { var y: int; call y := p(3); assert y == 4; }
        procedure p(x: int) returns (r: int); ensures r > x;"""),
    ("modifies and old", "safe", """
        var g: int;
        procedure main() modifies g; { g := 1; call up(); call up(); assert g == 3; }
        procedure up(); modifies g; ensures g == old(g) + 1;"""),
    ("not modified", "safe", """
        var g, h: int;
        procedure main() modifies g, h; { h := 5; call p(); assert h == 5; }
        procedure p(); modifies g;"""),
    ("argument before, result after", "safe", """
        var g: int;
        procedure main() modifies g; { g := 7; call g := p(g); assert g == 8; }
        procedure p(x: int) returns (r: int); modifies g; ensures r == x + 1; ensures g == 0;"""),
    ("result after the globals", "safe", """
        var g: int;
        procedure main() modifies g; { g := 7; call g := p(g); assert g == 8; }
        procedure p(x: int) returns (r: int) modifies g; { r := x + 1; g := 0; }"""),
    ("old in a body", "safe", """
        var g: int;
        procedure main() modifies g; { g := 1; call p(5); assert g == 6; }
        procedure p(n: int) modifies g; { g := g + n; assert g - n == old(g); }"""),
    ("old of the activation", "unsafe assert@4", """
        var g: int;
        procedure ULTIMATE.start() modifies g; { g := 1; call p(); }
        procedure p() modifies g; { g := g + 1; assert old(g) == 2; }"""),
    ("unsatisfiable ensures", "safe", """
        procedure main() { call p(); assert false; }
        procedure p(); ensures false;"""),
    ("library", "unsafe assert@3", """
        procedure main() { call p(1); }
        procedure p(x: int) { assert x == 1; }"""),
    ("start", "safe", """
        procedure ULTIMATE.start() { call p(1); }
        procedure p(x: int) { assert x == 1; }"""),
    ("names of the implementation", "safe", """
        procedure p(a: int, b: int) returns (r: int); requires a > b; ensures r > 0;
        implementation p(b: int, a: int) returns (s: int) { s := b - a; }"""),
    ("locals are fresh at every call", "unsafe assert@4", """
        procedure main() { var a, b: int; call a := p(true); call b := p(false); call q(a, b); }
        procedure p(first: bool) returns (r: int) { var l: int; if (first) { l := 1; } r := l; }
        procedure q(a: int, b: int) { assert a == b; }"""),
    ("where of a local", "safe", """
        procedure main() { var x: int where x > 0; assert x > 0; havoc x; assert x > 0; }"""),
    ("where is not an invariant", "unsafe assert@1", """\
procedure main() { var x: int where x > 0; x := 0; assert x > 0; }"""),
    ("where of a global", "safe", """
        var g: int where g > 0;
        procedure main() modifies g; { assert g > 0; call p(); assert g > 0; }
        procedure p(); modifies g;"""),
    ("a broken where", "unsafe assert@4", """
        var g: int where g > 0;
        procedure main() modifies g; { g := 0; call p(); }
        procedure p() { assert g > 0; }"""),
    ("constants", "safe", """
        const c: int; const d: int; axiom c == 23 && d > c;
        procedure main() { assert d > 23; }"""),
    ("unique", "safe", """
        type t; const unique a, b: t; const unique m, n: int;
        procedure main() { var x: t; assert a != b; assert m != n; assert x == a ==> x != b; }"""),
    ("other elements", "unsafe assert@3", """
        type t; const unique a, b: t;
        procedure main() { var x: t; assert x == a || x == b; }"""),
    ("functions with a body", "safe", """
        function twice(x: int) returns (int) { x + x } function four(x: int) returns (int) { twice(twice(x)) }
        procedure main(x: int) { assert four(x) == 4 * x; }"""),
    ("functions without", "safe", """
        function f(int, bool) returns (int);
        procedure main(x: int, y: int) { assert x == y ==> f(x, true) == f(y, true); }"""),
    ("functions without say nothing", "unsafe assert@3", """
        function f(int) returns (int); axiom f(1) == 2;
        procedure main(x: int) { assert f(1) == 2 && f(x) != 3; }"""),
    ("euclidean", "safe", """
        procedure main() { assert -7 div 2 == -4 && -7 mod 2 == 1 && 7 div -2 == -3 && 7 mod -2 == 1; }"""),
    ("division by zero is a function", "safe", """
        procedure main(x: int, y: int) { assert y == 0 ==> x div y == x div 0;
          assert x mod y == x mod y; }"""),
    ("division by zero has any value", "unsafe assert@2", """
        procedure main(x: int) { assert x div 0 == 0; }"""),
    ("reals", "safe", """
        procedure main(x: real) { assume x > 0.5; assert x + x > 1.0 && x / 2.0 < x;
          assert int(0.0 - 0.5) == -1; }"""),
    ("maps", "safe", """
        var m: [int]int;
        procedure main(i: int, j: int) modifies m; { m[i] := 1; m[j] := 2; assert i != j ==> m[i] == 1;
          assert m[i := 5][i] == 5; }"""),
    ("maps of two indices", "safe", """
        procedure main(i: int, j: int) { var m, n: [int, bool]int; n := m; m[i, true] := 3; m[j, false] := 4;
          assert m[i, true] == 3 && n[i, true := n[i, true]] == n; }"""),
    ("map of maps", "unsafe assert@3", """
        procedure main(i: int, j: int) { var m: [int][int]int; m[i][1] := 3; m[j][1] := 4;
          assert m[i][1] == 3; }"""),
    ("bits", "safe", """
        function {:bvbuiltin "bvadd"} add(bv8, bv8) returns (bv8);
        function {:bvbuiltin "bvult"} less(bv8, bv8) returns (bool);
        procedure main() { assert add(255bv8, 2bv8) == 1bv8; assert less(1bv8, 255bv8);
          assert 3bv4 ++ 1bv4 == 49bv8; assert 49bv8[8:4] == 3bv4; }"""),
    ("an assertion with a quantifier", "safe", """
        procedure main(m: [int]int, n: int) { var a: [int]int; a := m[n := 1];
          assert (forall i: int :: i != n ==> a[i] == m[i]); }"""),
    ("a witness against a quantifier", "unsafe assert@3", """
        procedure main(m: [int]int, n: int) { var a: [int]int; a := m[n := 1];
          assert (forall i: int :: a[i] == m[i]); }"""),
    ("existential assumption", "safe", """
        procedure main(m: [int]int, n: [int]int) { var k: int; assume (exists i: int :: m[i] > 0 && i == 4);
          assert m[4] > 0; }"""),
    ("recursion", "safe", """
        procedure main(n: int) { var r: int; assume n >= 0; call r := same(n); assert r == n; }
        procedure same(n: int) returns (r: int)
        { if (n <= 0) { r := n; } else { call r := same(n - 1); r := r + 1; } }"""),
    ("recursion with a bug", "unsafe assert@2", """
        procedure main(n: int) { var r: int; call r := same(n); assert r == n; }
        procedure same(n: int) returns (r: int)
        { if (n <= 0) { r := 0; } else { call r := same(n - 1); r := r + 1; } }"""),
]
