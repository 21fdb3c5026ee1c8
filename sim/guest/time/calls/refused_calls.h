// Calls that are refused to every guest, because they concern the whole machine.
#pragma once

#include <sys/syscall.h>

#include <cerrno>
#include <string_view>

namespace sim::guest {

struct RefusedCall {
  int number;
  std::string_view name;
  // 0: it succeeds and does nothing, for what user data does in passing would end its script.
  int error = EPERM;
};

// They fail, and the supervisor reports them to SupervisorHooks::refused().
inline constexpr RefusedCall kRefusedCalls[] = {
    // the machine's clock
    {SYS_clock_settime, "clock_settime"},
    {SYS_settimeofday, "settimeofday"},
    {SYS_adjtimex, "adjtimex"},
    {SYS_clock_adjtime, "clock_adjtime"},
    // its kernel
    {SYS_init_module, "init_module"},
    {SYS_finit_module, "finit_module"},
    {SYS_delete_module, "delete_module"},
    {SYS_kexec_load, "kexec_load"},
    {SYS_kexec_file_load, "kexec_file_load"},
    {SYS_bpf, "bpf"},
    {SYS_perf_event_open, "perf_event_open"},
    // keyrings, which have no namespace
    {SYS_add_key, "add_key"},
    {SYS_request_key, "request_key"},
    {SYS_keyctl, "keyctl"},
    // its memory, disks and ports
    {SYS_swapon, "swapon", 0},
    {SYS_swapoff, "swapoff", 0},
    {SYS_acct, "acct"},
    {SYS_quotactl, "quotactl"},
    // any file of a file system, by number
    {SYS_open_by_handle_at, "open_by_handle_at"},
#ifdef __x86_64__
    {SYS_iopl, "iopl"},
    {SYS_ioperm, "ioperm"},
#endif
};

}  // namespace sim::guest
