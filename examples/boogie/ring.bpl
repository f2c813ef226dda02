// Unsafe: a full ring takes one more item, and the oldest is lost. Items are their own numbers.

const size: int;
axiom size == 2;

procedure ULTIMATE.start()
{
  var ring: [int]int;
  var sent, received: int;

  sent, received := 0, 0;
  loop:
    goto put, take;

  put:
    assume sent - received <= size;  // should be <
    ring[sent mod size] := sent;
    sent := sent + 1;
    goto loop;

  take:
    assume received < sent;
    assert ring[received mod size] == received;
    received := received + 1;
    goto loop;
}
