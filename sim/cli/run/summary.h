// What is shown of runs: their results as text, and how two of them differ.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/terminal/terminal_style.h"
#include "sim/result/result.h"

namespace sim::cli {

// What a person reads at a glance, lines of text: attempts, ledgers, losses, savings, expectations.
std::string summary(const result::Result& result, const Styler& styled = {});

// The first line in which two event logs differ, as text to show; empty when they are equal. Throws
// std::runtime_error when one cannot be read.
std::optional<std::string> first_difference(const std::filesystem::path& expected,
                                            const std::filesystem::path& found);

}  // namespace sim::cli
