int main() {
  unsigned x;
  assert(x + 10 >= 10);
}
