; Two counters: the second advances by two whenever the first advances by one. Linear clauses.
(set-logic HORN)
(declare-fun run (Int Int) Bool)
(declare-fun done (Int Int) Bool)
(assert (run 0 0))
(assert (forall ((x Int) (y Int)) (=> (and (run x y) (< x 100)) (run (+ x 1) (+ y 2)))))
(assert (forall ((x Int) (y Int)) (=> (and (run x y) (>= x 100)) (done x y))))
; wrong: y is 200 in the end
(assert (forall ((x Int) (y Int)) (=> (done x y) (< y 200))))
(check-sat)
