#include "sim/guest/time/leased_clock.h"

#include <sys/mman.h>
#include <sys/syscall.h>

#include <cstddef>

#include "sim/guest/time/clock_lease.h"

namespace sim::guest {

#if defined(__x86_64__)

static_assert(kLeasePage == 0x200000000000 && kClockOfLeasePage == 0x53504f54);
static_assert(SYS_clock_gettime == 228 && SYS_gettid == 186 && SYS_mmap == 9 && SYS_close == 3);
static_assert((PROT_READ | PROT_WRITE) == 3 && (MAP_SHARED | MAP_FIXED_NOREPLACE) == 0x100001);
static_assert(offsetof(ClockLease::Page, task) == 0 && offsetof(ClockLease::Page, reading) == 8 &&
              offsetof(ClockLease::Page, limit) == 16 && offsetof(ClockLease::Page, cost) == 24 &&
              offsetof(ClockLease::Page, ahead) == 32);

// int clock_gettime(clockid_t edi, timespec* rsi), with the registers that a function may change.
// Only the entry is ever overwritten, because tasks may be in the middle of the code. r8 and r9 are
// the call's fifth and sixth argument.
asm(R"(
  .pushsection .rodata
  .intel_syntax noprefix
spotsim_leased_clock:
  .byte 0xe9
  .long spotsim_leased_clock_ask - (. + 4)

spotsim_leased_clock_ask:
  push rdi
  push rsi
  mov edi, 0x53504f54
  mov eax, 228
  syscall
  xor r9d, r9d
  test eax, eax
  js spotsim_leased_clock_asked
  mov r8d, eax
  movabs rdi, 0x200000000000
  mov esi, 4096
  mov edx, 3
  mov r10d, 0x100001
  mov eax, 9
  syscall
  mov r9, rax
  mov edi, r8d
  mov eax, 3
  syscall
spotsim_leased_clock_asked:
  mov r8, r9
  pop rsi
  pop rdi
  jmp spotsim_leased_clock_call

spotsim_leased_clock_read:
  xor r8d, r8d
  cmp edi, 1                        # CLOCK_REALTIME, CLOCK_MONOTONIC
  ja spotsim_leased_clock_call
  mov eax, 186
  syscall
  movabs r8, 0x200000000001
  mov r9d, eax
  cmp eax, [r8 - 1]                 # task
  jne spotsim_leased_clock_call
  mov rax, [r8 + 7]                 # reading
  add rax, [r8 + 23]                # cost
  cmp rax, [r8 + 15]                # limit
  jg spotsim_leased_clock_call
  mov [r8 + 7], rax
  mov edi, edi
  add rax, [r8 + 31 + rdi * 8]      # ahead
  xor edx, edx
  mov ecx, 1000000000
  div rcx
  mov [rsi], rax
  mov [rsi + 8], rdx
  xor eax, eax
  ret

spotsim_leased_clock_call:
  mov eax, 228
  syscall
  cmp rax, -4                       # EINTR, which programs do not expect of a clock
  je spotsim_leased_clock_call
  ret
spotsim_leased_clock_end:

spotsim_leased_clock_entry:
  .byte 0xe9
  .long spotsim_leased_clock_read - spotsim_leased_clock - 5
  .att_syntax prefix
  .popsection
)");

namespace {

extern "C" {
extern const unsigned char leased_code[] asm("spotsim_leased_clock");
extern const unsigned char leased_code_end[] asm("spotsim_leased_clock_end");
extern const unsigned char leased_entry[] asm("spotsim_leased_clock_entry");
}

}  // namespace

std::span<const unsigned char> leased_clock_code() { return {leased_code, leased_code_end}; }
std::span<const unsigned char> leased_clock_entry() { return {leased_entry, 5}; }

#else
#error "The time supervisor knows x86-64 only: add this architecture's code here."
#endif

}  // namespace sim::guest
