/* Linked into every program that is executed: before any of the program's own code runs (its
   constructors included) the process gives up everything but computing, its own memory, and its three
   standard files. A call of the system that is not listed below ends the process (signal SIGSYS).

   What a user of Revet may lose by running an unknown program is then its processor time, for which
   there are limits (confine.py). */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NOT_CONFINED = 110 };

#if defined __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined __i386__
#define ARCHITECTURE AUDIT_ARCH_I386
#elif defined __aarch64__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE
#define LOAD(what) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, what))
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define KILL BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)
/* Allowed; allowed if the first argument is one of the standard files; or if it is this value. */
#define ANY(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1), ALLOW
#define ON_STANDARD_FILES(call) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4), LOAD(args[0]), \
  BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, 2, 1, 0), ALLOW, KILL
/* Not done, and said to be impossible. */
#define FAIL(call) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES)
#define ON(call, value) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4), LOAD(args[0]), \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1), ALLOW, KILL

static int confine(void) {
  const unsigned self = (unsigned)getpid();
  struct sock_filter filter[] = {
    LOAD(arch),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0), KILL,
    LOAD(nr),
    ON_STANDARD_FILES(SYS_write), ON_STANDARD_FILES(SYS_writev), ON_STANDARD_FILES(SYS_read),
    ON_STANDARD_FILES(SYS_lseek), ON_STANDARD_FILES(SYS_fstat), ON_STANDARD_FILES(SYS_ioctl),
    ON_STANDARD_FILES(SYS_close),
#ifdef SYS_newfstatat
    ON_STANDARD_FILES(SYS_newfstatat),
#endif
#ifdef SYS_fstat64
    ON_STANDARD_FILES(SYS_fstat64), ON_STANDARD_FILES(SYS__llseek),
#endif
#ifdef SYS_statx
    ON_STANDARD_FILES(SYS_statx),
#endif
    ANY(SYS_exit), ANY(SYS_exit_group), ANY(SYS_brk), ANY(SYS_mmap), ANY(SYS_munmap), ANY(SYS_mremap),
    ANY(SYS_madvise), ANY(SYS_mprotect), ANY(SYS_rt_sigaction), ANY(SYS_rt_sigprocmask),
    ANY(SYS_rt_sigreturn), ANY(SYS_sigaltstack), ANY(SYS_getpid), ANY(SYS_gettid), ANY(SYS_futex),
    ANY(SYS_getrandom), ANY(SYS_sysinfo), ANY(SYS_uname), ANY(SYS_sched_yield),
#ifdef SYS_clock_gettime
    ANY(SYS_clock_gettime), ANY(SYS_gettimeofday),
#endif
#ifdef SYS_mmap2
    ANY(SYS_mmap2),
#endif
#ifdef SYS_sigreturn
    ANY(SYS_sigreturn),
#endif
#ifdef SYS_time
    ANY(SYS_time),
#endif
#ifdef SYS_clock_gettime64
    ANY(SYS_clock_gettime64),
#endif
#ifdef SYS_set_thread_area
    ANY(SYS_set_thread_area),
#endif
#ifdef REVET_ADDRESS_SANITIZER /* which asks for a map of the process before it prints a report, and does without */
    FAIL(SYS_openat),
#ifdef SYS_open
    FAIL(SYS_open), FAIL(SYS_readlink),
#endif
    FAIL(SYS_readlinkat),
#endif
    ON(SYS_kill, self), ON(SYS_tgkill, self), ON(SYS_tkill, self), /* abort(), raise() */
    KILL,
  };
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWIPC); /* where there are namespaces; the filter is the rest */
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return 0;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}
#else
static int confine(void) { return 0; }
#endif

#ifdef REVET_ADDRESS_SANITIZER
extern void __asan_init(void); /* it reads about the process and reserves its memory, once */
const char *__asan_default_options(void) {
  return "symbolize=0:detect_leaks=0:detect_stack_use_after_return=1:allocator_may_return_null=1:"
         "max_allocation_size_mb=1024:quarantine_size_mb=64:print_legend=0:print_summary=0:exitcode=99";
}
#endif

static void revet_confine(void) {
#ifdef REVET_ADDRESS_SANITIZER
  __asan_init();
#endif
  if (!confine() && REVET_REQUIRED) _exit(NOT_CONFINED);
}

#ifdef REVET_STATIC /* this C library knows no functions before the constructors: be the first of those */
__attribute__((constructor(0))) static void revet_confine_first(void) { revet_confine(); }
#else
__attribute__((section(".preinit_array"), used)) static void (*revet_confine_first)(void) = revet_confine;
#endif
