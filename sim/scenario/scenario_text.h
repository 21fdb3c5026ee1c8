// A scenario that is parsed once and read with any number of overrides, as sweeps do.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "sim/scenario/overrides.h"
#include "sim/scenario/scenario.h"

namespace sim::run {

class ScenarioText {
 public:
  // As parse_scenario(). Throws ScenarioError for a text that is no YAML.
  ScenarioText(const std::string& text, const std::filesystem::path& file);
  ScenarioText(ScenarioText&&) noexcept;
  ScenarioText& operator=(ScenarioText&&) noexcept;
  ~ScenarioText();

  // Throws ScenarioError. What one call overrides is not seen by the next.
  Scenario read(const Overrides& overrides);

 private:
  struct Parsed;
  std::unique_ptr<Parsed> parsed_;
};

}  // namespace sim::run
