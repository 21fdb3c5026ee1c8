// Two event logs, line by line.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace sim::cli {

// The first line in which they differ, as text to show; empty when they are equal. Throws
// std::runtime_error when one cannot be read.
std::optional<std::string> first_difference(const std::filesystem::path& expected,
                                            const std::filesystem::path& found);

}  // namespace sim::cli
