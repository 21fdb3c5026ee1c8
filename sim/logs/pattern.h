// The filter pattern of FilterLogEvents.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sim::logs {

// The terms of a filter for unstructured messages, case-sensitive. A message must have all of
// `included` and none of `excluded`; if these are empty, one of `optional` (CloudWatch Logs User
// Guide, "Filter pattern syntax"). A pattern without terms matches every message.
struct Pattern {
  std::vector<std::string> included, excluded, optional;

  bool matches(std::string_view message) const;
};

// "ERROR -debug", "?ERROR ?WARN", "\"exact phrase\"". Throws ApiError: InvalidParameterException
// for an invalid pattern; UnsupportedOperation for patterns of JSON ("{…"), of fields ("[…") and of
// regular expressions ("%…%").
Pattern parse_pattern(std::string_view text);

}  // namespace sim::logs
