// Safe, but not by looking at a few steps: the loop needs an invariant that relates its two counters.

procedure ULTIMATE.start()
{
  var steps, height: int;

  steps, height := 0, 0;
  while (*) {
    steps, height := steps + 1, height + 18;
  }
  assert height mod 18 == 0 && height >= steps;
}
