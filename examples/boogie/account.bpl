// Contracts: a caller is checked against requires, a body against ensures. `audit` has no body: of it, and of
// what it changes, only the contract is known. Every procedure with a body is an entry.

const overdraft: int;
axiom overdraft >= 0;

var balance: int where balance >= -overdraft;
var log: int;

procedure withdraw(amount: int) returns (paid: int)
  requires amount >= 0;
  requires balance >= -overdraft;
  modifies balance, log;
  ensures balance == old(balance) - paid && balance >= -overdraft;
  ensures 0 <= paid && paid <= amount;
{
  paid := if balance - amount >= -overdraft then amount else 0;
  balance := balance - paid;
  call audit(paid);
}

procedure audit(entry: int);
  modifies log;
  ensures log == old(log) + entry;

procedure empty()
  requires balance > 0;
  modifies balance, log;
  ensures balance <= 0 ==> log >= old(log);
{
  var paid: int;

  call paid := withdraw(balance);
  assert paid == old(balance);
}
