// Amounts in US dollars as texts: of options, job files and EC2.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace spotrun {

// "3.06": above 0 and at most a million. Empty for other texts.
std::optional<double> parse_dollars(std::string_view text);

// "1.530000": the format of EC2's prices.
std::string format_dollars(double dollars);

}  // namespace spotrun
