// Reads the file of `spotsim advise`: a job in a few lines of YAML (docs/advise.md lists the keys).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/sweep/advice/advice.h"
#include "sim/sweep/advice/advice_keys.h"

namespace sim::sweep {

struct AdviceFile {
  Question question;
  // Descriptions of the traces that the answer is based on: "1990-… prices of FILE".
  std::vector<std::string> traces;
  std::vector<std::string> warnings;  // each with file, line, column and key
  std::string on_demand;              // source of its price: "us-east-1, 2025-11-30", "the file"
  double speed = 1;                   // of the instance type; question.job.work is on this type
  bool too_slow = false;              // on this type the work cannot be done by the deadline
  std::optional<Today> today{};       // if the user's present way is on this type
};

// Questions of the file, one for each of its instance types. Throws ScenarioError with all errors
// of the file and of the traces that it names.
std::vector<AdviceFile> read_advice_files(const std::filesystem::path& file);
std::vector<AdviceFile> parse_advice_files(const std::string& text,
                                           const std::filesystem::path& file);
// The first of them.
AdviceFile read_advice_file(const std::filesystem::path& file);
AdviceFile parse_advice_file(const std::string& text, const std::filesystem::path& file);

}  // namespace sim::sweep
