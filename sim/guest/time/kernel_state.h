// The kernel's counters of the whole machine in a guest's /proc: the values of an idle machine that
// has just booted. The real numbers would differ from run to run.
#pragma once

#include <cstdint>
#include <filesystem>

namespace sim::guest {

// The free part of a guest's memory in /proc/meminfo and sysinfo(2).
constexpr std::uint64_t shown_free_memory(std::uint64_t total) { return total - total / 16; }

// Writes files into the folder, each named after the file of /proc that a guest sees it in the
// place of: meminfo, cpuinfo, vmstat, interrupts, softirqs, swaps.
void write_kernel_state(const std::filesystem::path& folder);

}  // namespace sim::guest
