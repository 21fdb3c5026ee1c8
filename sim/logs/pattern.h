// Which messages FilterLogEvents is asked for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sim::logs {

// Terms of unstructured messages, upper and lower case apart: all of `included`, none of
// `excluded`; one of `optional`, where there are no others (CloudWatch Logs User Guide, "Filter
// pattern syntax"). Without any, every message is wanted.
struct Pattern {
  std::vector<std::string> included, excluded, optional;

  bool matches(std::string_view message) const;
};

// "ERROR -debug", "?ERROR ?WARN", "\"exact phrase\"". Throws ApiError: InvalidParameterException of
// what is none; UnsupportedOperation of patterns for JSON ("{…"), for fields ("[…") and of regular
// expressions ("%…%").
Pattern parse_pattern(std::string_view text);

}  // namespace sim::logs
