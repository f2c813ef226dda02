/* A ring buffer's bookkeeping: however it is used, the number of stored items
   is the distance from the reader to the writer, and never exceeds the capacity. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

#define CAPACITY 8

int main(void) {
    int head = 0, tail = 0, stored = 0;
    while (1) {
        if (__VERIFIER_nondet_int()) {          /* put */
            if (stored < CAPACITY) {
                head = head + 1 == CAPACITY ? 0 : head + 1;
                stored++;
            }
        } else if (stored > 0) {                /* get */
            tail = tail + 1 == CAPACITY ? 0 : tail + 1;
            stored--;
        }
        int distance = head - tail;
        if (distance < 0) distance += CAPACITY;
        if (distance != stored && !(distance == 0 && stored == CAPACITY))
            __VERIFIER_error();
    }
}
