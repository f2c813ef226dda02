/* Two traffic lights at a crossing. The second one may switch to green one
   instant too early: Revet finds the shortest way to a crash. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

enum light { RED, YELLOW, GREEN };

int main(void) {
    enum light north = GREEN, east = RED;
    int clock = 0;
    while (1) {
        clock = clock + 1;
        int button = __VERIFIER_nondet_int();
        if (north == GREEN && (clock > 3 || button)) north = YELLOW;
        else if (north == YELLOW) north = RED;
        if (east == RED && north != GREEN && clock > 2) east = GREEN;
        if (north != RED && east == GREEN) __VERIFIER_error();
    }
}
