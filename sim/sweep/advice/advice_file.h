// Reads the file of `spotsim advise`: a job in a few lines of YAML (docs/advise.md lists the keys).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/sweep/advice/advice.h"

namespace sim::sweep {

struct AdviceFile {
  Question question;
  // Descriptions of the traces that the answer is based on: "1990-… prices of FILE".
  std::vector<std::string> traces;
  std::vector<std::string> warnings;  // each with file, line, column and key
  std::string on_demand;              // source of its price: "us-east-1, 2025-11-30", "the file"
};

// Throws ScenarioError with all errors of the file and of the traces that it names.
AdviceFile read_advice_file(const std::filesystem::path& file);
AdviceFile parse_advice_file(const std::string& text, const std::filesystem::path& file);

}  // namespace sim::sweep
