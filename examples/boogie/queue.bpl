// Maps: a queue between `first` and `next`, and one cell of it, any one, that is watched.

type job;
const unique none: job;

var cells: [int]job;
var first, next: int;

procedure put(what: job)
  requires first <= next && what != none;
  modifies cells, next;
{
  var watched: int;
  var before: job;

  before := cells[watched];
  cells[next] := what;
  next := next + 1;
  assert watched != next - 1 ==> cells[watched] == before;
  assert cells[next - 1] == what;
}

procedure take() returns (what: job)
  requires first < next && cells[first] != none;
  modifies cells, first;
  ensures what != none && old(cells)[first - 1] == what;
{
  what := cells[first];
  cells := cells[first := none];
  first := first + 1;
}

procedure turn(what: job) returns (back: job)
  requires first == next && what != none;
  modifies cells, first, next;
  ensures back == what && first == next;
{
  call put(what);
  call back := take();
}
