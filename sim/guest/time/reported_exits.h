// The exit statuses of a program that the supervisor reports before the program is gone.
#pragma once

#include <cstdint>

namespace sim::guest {

inline constexpr std::uint32_t kCommandNotFound = 127;  // a shell found no such command
inline constexpr std::uint32_t kGitFailed = 128;        // git's die(), of a failed clone for one

inline constexpr std::uint32_t kReportedStatuses[] = {kCommandNotFound, kGitFailed};

}  // namespace sim::guest
