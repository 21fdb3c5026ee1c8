// Replaces values of a scenario's keys, for `--set KEY=VALUE` and for the grid of a sweep.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace YAML {
class Node;
}

namespace sim::scenario {

class Errors;  // errors.h

struct Override {
  std::string key;     // as messages name it: "trainer.policy", "interruptions[0].lifetime"
  std::string value;   // in YAML
  std::string origin;  // source of the override, for messages about the key
  bool operator==(const Override&) const = default;
};
using Overrides = std::vector<Override>;

// Parses KEY=VALUE arguments. Throws ScenarioError.
Overrides parse_overrides(const std::vector<std::string>& texts);
// " --set trainer.policy=epoch --set …", quoted for a shell.
std::string as_arguments(const Overrides& overrides);

// The parts of a key: names, and indices of lists from 0. Empty if the text is not a key.
struct KeyPart {
  std::string name;
  std::size_t place = 0;  // if the name is empty
};
std::vector<KeyPart> parts_of(const std::string& key);

// Sets the values in the tree, in order, and restores the tree when it is destroyed. Missing keys
// of mappings are added, with the mappings above them. An index of a list must exist.
class AppliedOverrides {
 public:
  AppliedOverrides(const Overrides& overrides, const YAML::Node& root, Errors& errors);
  ~AppliedOverrides();
  AppliedOverrides(const AppliedOverrides&) = delete;
  AppliedOverrides& operator=(const AppliedOverrides&) = delete;

  // True if the tree can be restored completely. An empty block that became a mapping remains one.
  bool can_restore() const { return can_restore_; }

 private:
  void put(const Override& override, const YAML::Node& root, Errors& errors);

  std::vector<std::function<void()>> undo_;
  bool can_restore_ = true;
};
// The same for a whole file with the root `values`: it sets each key except `based_on`. Messages
// about these keys name that file's lines.
void apply_file(const std::string& file, const YAML::Node& values, const YAML::Node& root,
                Errors& errors);

}  // namespace sim::scenario
