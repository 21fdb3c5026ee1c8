// JUnit XML, which CI systems show. `spotsim run` and `spotsim explore` write it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sim::cli {

struct JunitCase {
  std::string name;
  std::optional<std::string> failure = {};  // one line; empty: the case passed
  std::string details = {};                 // more lines about the failure
  std::string output = {};                  // the case's own output; empty: none
};
struct JunitSuite {
  std::string name;  // also the class of its cases
  std::vector<JunitCase> cases;
};

// Throws std::runtime_error if the file cannot be written. Characters that XML cannot have become
// U+FFFD, because a reader would refuse the whole file.
void write_junit(const std::vector<JunitSuite>& suites, const std::filesystem::path& file);

}  // namespace sim::cli
