/* The bug lies beyond the recursion limit. */
int count(int n) { if (n <= 0) return 0; return count(n - 1) + 1; }
int main() { assert(count(1000) != 1000); }
