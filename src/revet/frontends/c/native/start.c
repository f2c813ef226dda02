/* Where a program begins that is linked without the system's start files (toolchain.py), and where
   its variables begin (search.c). x86-64: the stack holds argc and argv, rdx what to call at exit. */
char __data_start[16] __attribute__((section(".data"))) = {1};

/* In the part of the C library that the start files bring. */
extern int __cxa_atexit(void (*)(void *), void *, void *);
__attribute__((weak)) int atexit(void (*handler)(void)) {
  return __cxa_atexit((void (*)(void *))handler, 0, 0);
}

__asm__(
    ".text\n.globl _start\n.type _start, @function\n_start:\n"
    "  xor %ebp, %ebp\n"
    "  mov %rdx, %r9\n"
    "  mov (%rsp), %rsi\n"
    "  lea 8(%rsp), %rdx\n"
    "  mov %rsp, %rax\n"
    "  and $-16, %rsp\n"
    "  push %rax\n"
    "  push %rsp\n"
    "  xor %r8d, %r8d\n"
    "  xor %ecx, %ecx\n"
    "  mov $main, %rdi\n"
    "  call __libc_start_main\n"
    "  hlt\n"
    ".section .note.GNU-stack, \"\", @progbits\n");
