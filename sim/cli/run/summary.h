// Shows runs to people: a result as text, and the difference of two logs.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/terminal/terminal_style.h"
#include "sim/result/result.h"

namespace sim::cli {

// The result in lines of text: attempts, ledgers, losses, savings, expectations. AWS actions that
// spotsim does not have come first, because they may explain everything else. `folder` is the
// run's; if it is given, the lines of its consoles with their errors are quoted.
std::string summary(const result::Result& result, const Styler& styled = {},
                    const std::filesystem::path& folder = {});

// The first line in which two event logs differ, as a text to show. Empty if the logs are equal.
// Throws std::runtime_error if a log cannot be read.
std::optional<std::string> first_difference(const std::filesystem::path& expected,
                                            const std::filesystem::path& found);

}  // namespace sim::cli
