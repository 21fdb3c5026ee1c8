// What differs between machines: the call that every new program image makes, and the code that the
// vDSO's entry points are replaced by. A port adds a block here.
#pragma once

#include <linux/audit.h>
#include <sys/syscall.h>

#include <array>
#include <cstdint>
#include <string_view>

namespace sim::guest {

// Newer than Debian 12's kernel headers; the numbers are the same on every architecture.
constexpr int kFutexWaitv = 449, kFutexWake = 454, kFutexWait = 455, kFutexRequeue = 456;
constexpr int kOpenTreeAttr = 467;

struct VdsoReplacement {
  std::string_view symbol;
  std::array<unsigned char, 16> code;
};

#if defined(__x86_64__)
constexpr std::uint32_t kAuditArchitecture = AUDIT_ARCH_X86_64;

// The call that sets the first task's thread pointer. glibc, musl and Go make it once at the start
// of an image, before they read a clock. Later threads get their thread pointer from clone.
constexpr int kNewImageCall = SYS_arch_prctl;
constexpr std::uint32_t kNewImageArgument = 0x1002;  // ARCH_SET_FS

// again: mov eax, NR; syscall; cmp rax, -EINTR; je again; ret. A signal whose handler lacks
// SA_RESTART interrupts a call that waits for the supervisor's answer. Programs do not expect EINTR
// from a clock, so the code repeats the call.
constexpr std::array<unsigned char, 16> vdso_call(unsigned char number) {
  return {0xb8, number, 0, 0, 0, 0x0f, 0x05, 0x48, 0x83, 0xf8, 0xfc, 0x74, 0xf3, 0xc3, 0x90, 0x90};
}
static_assert(SYS_clock_gettime < 256 && SYS_gettimeofday < 256 && SYS_time < 256);

// getrandom: mov eax, -ENOSYS; ret, after which libc makes the system call.
constexpr std::array<VdsoReplacement, 4> kVdsoReplacements{{
    {"__vdso_clock_gettime", vdso_call(SYS_clock_gettime)},
    {"__vdso_gettimeofday", vdso_call(SYS_gettimeofday)},
    {"__vdso_time", vdso_call(SYS_time)},
    {"__vdso_getrandom", {0xb8, 0xda, 0xff, 0xff, 0xff, 0xc3}},
}};
#else
#error "The time supervisor knows x86-64 only: add this architecture's block here."
#endif

}  // namespace sim::guest
