// Exit statuses that the supervisor reports before the program has ended.
#pragma once

#include <cstdint>

namespace sim::guest {

inline constexpr std::uint32_t kCommandNotFound = 127;  // a shell found no such command
inline constexpr std::uint32_t kGitFailed = 128;  // git's die(), for example after a failed clone

inline constexpr std::uint32_t kReportedStatuses[] = {kCommandNotFound, kGitFailed};

}  // namespace sim::guest
