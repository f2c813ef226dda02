; A recursive function as Horn clauses: fib(n, r) holds if the call of fib with n returns r.
; Clause three has two predicates in its body: the clauses are not linear.
(set-logic HORN)
(declare-fun fib (Int Int) Bool)
(assert (forall ((n Int)) (=> (<= n 1) (fib n 1))))
(assert (forall ((n Int) (r Int) (s Int))
  (=> (and (> n 1) (fib (- n 1) r) (fib (- n 2) s)) (fib n (+ r s)))))
; the result is never below the argument minus one
(assert (forall ((n Int) (r Int)) (=> (and (fib n r) (< r (- n 1))) false)))
(check-sat)
