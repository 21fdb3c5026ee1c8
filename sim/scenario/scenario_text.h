// A scenario that is parsed once and read with many overrides, for sweeps.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "sim/scenario/overrides.h"
#include "sim/scenario/scenario.h"

namespace sim::scenario {

class ScenarioText {
 public:
  // Like parse_scenario(). Throws ScenarioError for a text that is not YAML.
  ScenarioText(const std::string& text, const std::filesystem::path& file);
  ScenarioText(ScenarioText&&) noexcept;
  ScenarioText& operator=(ScenarioText&&) noexcept;
  ~ScenarioText();

  // Reads the scenario with these overrides, which later calls do not see. Throws ScenarioError.
  Scenario read(const Overrides& overrides);

 private:
  struct Parsed;
  std::unique_ptr<Parsed> parsed_;
};

}  // namespace sim::scenario
