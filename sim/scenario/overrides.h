// Other values for a scenario's keys: `--set KEY=VALUE`, the grid of a sweep.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace YAML {
class Node;
}

namespace sim::run {

class Errors;  // errors.h

struct Override {
  std::string key;     // as messages name it: "trainer.policy", "interruptions[0].lifetime"
  std::string value;   // in YAML
  std::string origin;  // who asks for it: what messages about the key begin with
  bool operator==(const Override&) const = default;
};
using Overrides = std::vector<Override>;

// KEY=VALUEs of a command line. Throws ScenarioError.
Overrides parse_overrides(const std::vector<std::string>& texts);
// " --set trainer.policy=epoch --set …", quoted for a shell.
std::string as_arguments(const Overrides& overrides);

// A key's parts: names, and places in lists from 0. Empty when the text is no key.
struct KeyPart {
  std::string name;
  std::size_t place = 0;  // where the name is empty
};
std::vector<KeyPart> parts_of(const std::string& key);

// Puts the values into the tree, in order, and takes them out again when it is destroyed. A key of
// a mapping that is not there is made, as are the mappings above it; a place in a list must be
// there.
class AppliedOverrides {
 public:
  AppliedOverrides(const Overrides& overrides, const YAML::Node& root, Errors& errors);
  ~AppliedOverrides();
  AppliedOverrides(const AppliedOverrides&) = delete;
  AppliedOverrides& operator=(const AppliedOverrides&) = delete;

  // Whether the tree will be as it was. An empty block that became a mapping stays one.
  bool can_restore() const { return can_restore_; }

 private:
  void put(const Override& override, const YAML::Node& root, Errors& errors);

  std::vector<std::function<void()>> undo_;
  bool can_restore_ = true;
};
// The same of a whole file, whose root is `values`: each key but `based_on`. Messages about them
// name its lines.
void apply_file(const std::string& file, const YAML::Node& values, const YAML::Node& root,
                Errors& errors);

}  // namespace sim::run
