// Converts between amounts in US dollars and texts, in options, job files and EC2's format.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace spotrun {

// Parses a text such as "3.06": above 0 and at most a million. Returns empty for other texts.
std::optional<double> parse_dollars(std::string_view text);

// EC2's format of a price, such as "1.530000".
std::string format_dollars(double dollars);

}  // namespace spotrun
