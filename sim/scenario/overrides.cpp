#include "sim/scenario/overrides.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "sim/scenario/scenario.h"
#include "sim/scenario/yaml_fields.h"
#include "sim/scenario/yaml_syntax.h"

namespace sim::scenario {
namespace {

constexpr const char* kExample = "a key such as trainer.policy or interruptions[0].lifetime";

// Reads "[0][1]" after a name. False for any other text.
bool read_places(std::string_view text, std::vector<KeyPart>& parts) {
  while (!text.empty()) {
    const std::size_t close = text.find(']');
    if (text.front() != '[' || close == text.npos) return false;
    const std::string_view digits = text.substr(1, close - 1);
    KeyPart part;
    const auto [stop, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), part.place);
    if (digits.empty() || error != std::errc{} || stop != digits.data() + digits.size())
      return false;
    parts.push_back(part);
    text.remove_prefix(close + 1);
  }
  return true;
}

// The node for one part of a key. Empty after an error.
std::optional<YAML::Node> step(YAML::Node at, const KeyPart& part, const std::string& key,
                               Errors& errors) {
  const bool empty = !at.IsDefined() || at.IsNull();
  if (!part.name.empty()) {
    if (empty || at.IsMap()) return at[part.name];
    errors.add(FilePosition{}, key,
               fmt::format("found no mapping that could have `{}`", part.name));
  } else {
    const std::size_t size = at.IsSequence() ? at.size() : 0;
    if (part.place < size) return at[part.place];
    errors.add(FilePosition{}, key,
               size == 0 ? fmt::format("found no list that could have [{}]", part.place)
                         : fmt::format("found no [{}], expected one of the {} that there are, [0] "
                                       "to [{}], or the whole list as the value",
                                       part.place, size, size - 1));
  }
  return {};
}

// The node of the key. Empty if it does not exist; `errors` has the reason.
std::optional<YAML::Node> node_at(const std::string& key, const YAML::Node& root, Errors& errors) {
  const std::vector<KeyPart> parts = parts_of(key);
  if (parts.empty()) {
    errors.add(FilePosition{}, key, fmt::format("expected {}", kExample));
    return {};
  }
  YAML::Node at = root;
  for (const KeyPart& part : parts) {
    const auto next = step(at, part, key, errors);
    if (!next) return {};
    at.reset(*next);
  }
  return at;
}

// Returns a function that undoes setting this key in the tree. Empty if that is impossible, because
// a block without a value will become a mapping.
std::function<void()> undo_of(const std::string& key, const YAML::Node& root) {
  YAML::Node at = root;
  for (const KeyPart& part : parts_of(key)) {
    if (at.IsNull()) return {};
    const bool leads_on = part.name.empty() ? at.IsSequence() : at.IsMap();
    if (!leads_on) return [] {};   // the key is wrong, so nothing is set
    const YAML::Node& fixed = at;  // the non-const operator[] would add a missing key
    const YAML::Node next = part.name.empty() ? fixed[part.place] : fixed[part.name];
    if (!next.IsDefined())
      return [parent = at, name = part.name]() mutable { parent.remove(name); };
    at.reset(next);
  }
  // An assignment to a node replaces its value for all handles of the node. So `before` is the
  // handle of another node, which is given the same value.
  YAML::Node same(YAML::NodeType::Null);
  const YAML::Node before = same;
  same = at;
  return [at, before]() mutable { at = before; };
}

// Adds single quotes if a shell would change the word.
std::string shell_word(const std::string& text) {
  const auto plain = [](char c) {
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') ||
           std::string_view("-_=./:,+@%").find(c) != std::string_view::npos;
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

}  // namespace

std::vector<KeyPart> parts_of(const std::string& key) {
  std::vector<KeyPart> parts;
  for (std::size_t at = 0; at <= key.size();) {
    const std::size_t dot = std::min(key.find('.', at), key.size());
    const std::string_view piece = std::string_view(key).substr(at, dot - at);
    const std::size_t bracket = std::min(piece.find('['), piece.size());
    if (bracket == 0) return {};
    parts.push_back({std::string(piece.substr(0, bracket))});
    if (!read_places(piece.substr(bracket), parts)) return {};
    at = dot + 1;
  }
  return parts;
}

Overrides parse_overrides(const std::vector<std::string>& texts) {
  Overrides all;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    const std::string key = text.substr(0, equals);
    if (equals == text.npos || parts_of(key).empty()) {
      throw ScenarioError({fmt::format(
          "--set: found \"{}\", expected KEY=VALUE with {}, and a value in YAML", text, kExample)});
    }
    all.push_back({key, text.substr(equals + 1), "--set " + text});
  }
  return all;
}

std::string as_arguments(const Overrides& overrides) {
  std::string all;
  for (const Override& o : overrides) all += " --set " + shell_word(o.key + "=" + o.value);
  return all;
}

AppliedOverrides::AppliedOverrides(const Overrides& overrides, const YAML::Node& root,
                                   Errors& errors) {
  for (const Override& override : overrides) {
    errors.attribute(override.key, override.origin);
    put(override, root, errors);
  }
}

AppliedOverrides::~AppliedOverrides() {
  while (!undo_.empty()) {
    undo_.back()();
    undo_.pop_back();
  }
}

void AppliedOverrides::put(const Override& override, const YAML::Node& root, Errors& errors) {
  auto undo = undo_of(override.key, root);
  auto at = node_at(override.key, root, errors);
  if (undo) {
    undo_.push_back(std::move(undo));
  } else {
    can_restore_ = false;
  }
  if (!at) return;
  if (const auto wrong = syntax_error(override.value))
    return errors.add(FilePosition{}, override.key, wrong->what);
  *at = YAML::Load(override.value);
}

// Sets a key of the file with its line.
void apply_file(const std::string& file, const YAML::Node& values, const YAML::Node& root,
                Errors& errors) {
  YAML::Node tree = root;
  for (const auto& entry : values) {
    const std::string& key = entry.first.Scalar();
    if (key == "based_on") continue;
    errors.attribute_to_file(key, file);
    if (parts_of(key).size() == 1) {
      tree.remove(key);
      tree.force_insert(entry.first, entry.second);
    } else if (auto at = node_at(key, root, errors)) {
      *at = entry.second;
    }
  }
}

}  // namespace sim::scenario
