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
  std::array<unsigned char, 8> code;
};

#if defined(__x86_64__)
constexpr std::uint32_t kAuditArchitecture = AUDIT_ARCH_X86_64;

// Setting the first task's thread pointer: glibc, musl and Go do it once at the start of an image,
// before they read a clock; later threads get theirs from clone.
constexpr int kNewImageCall = SYS_arch_prctl;
constexpr std::uint32_t kNewImageArgument = 0x1002;  // ARCH_SET_FS

// mov eax, NR; syscall; ret. getrandom: mov eax, -ENOSYS; ret, after which libc makes the system
// call.
constexpr std::array<VdsoReplacement, 4> kVdsoReplacements{{
    {"__vdso_clock_gettime", {0xb8, SYS_clock_gettime, 0, 0, 0, 0x0f, 0x05, 0xc3}},
    {"__vdso_gettimeofday", {0xb8, SYS_gettimeofday, 0, 0, 0, 0x0f, 0x05, 0xc3}},
    {"__vdso_time", {0xb8, static_cast<unsigned char>(SYS_time), 0, 0, 0, 0x0f, 0x05, 0xc3}},
    {"__vdso_getrandom", {0xb8, 0xda, 0xff, 0xff, 0xff, 0xc3, 0x90, 0x90}},
}};
static_assert(SYS_clock_gettime < 256 && SYS_gettimeofday < 256 && SYS_time < 256);
#else
#error "The time supervisor knows x86-64 only: add this architecture's block here."
#endif

}  // namespace sim::guest
