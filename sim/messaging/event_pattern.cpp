#include "sim/messaging/event_pattern.h"

#include <algorithm>
#include <stdexcept>

#include "sim/cloud/error.h"
#include "sim/kernel/shallow_json.h"
#include "sim/messaging/event_filters.h"

namespace sim::messaging {
namespace {

constexpr int kDeepest = 20;

void check_object(const Json& pattern, const std::string& path, int depth);

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw std::invalid_argument((path.empty() ? "" : path + ": ") + why);
}

void check_values(const Json& values, const std::string& path) {
  if (values.empty()) refuse(path, "Empty arrays are not allowed");
  for (const Json& each : values) {
    try {
      check_filter(each);
    } catch (const std::invalid_argument& wrong) {
      refuse(path, wrong.what());
    }
  }
}

void check_alternatives(const Json& alternatives, const std::string& path, int depth) {
  if (!alternatives.is_array() || alternatives.size() < 2)
    refuse(path, "$or must be an array of at least two patterns");
  for (const Json& each : alternatives) check_object(each, path, depth + 1);
}

void check_object(const Json& pattern, const std::string& path, int depth) {
  if (!pattern.is_object()) refuse(path, "\"match value must be an array\"");
  if (pattern.empty()) refuse(path, "Empty objects are not allowed");
  if (depth > kDeepest) refuse(path, "the pattern is nested too deep");
  for (const auto& [name, below] : pattern.items()) {
    const std::string place = path.empty() ? name : path + "." + name;
    if (name == "$or")
      check_alternatives(below, place, depth);
    else if (below.is_array())
      check_values(below, place);
    else
      check_object(below, place, depth + 1);
  }
}

// The argument of an "exists" filter: {"exists": true} passes for any value, {"exists": false} if
// there is no value.
const bool* existence(const Json& filter) {
  static constexpr bool kTruth[] = {false, true};
  if (!filter.is_object() || filter.begin().key() != "exists") return nullptr;
  return &kTruth[filter.begin().value().get<bool>() ? 1 : 0];
}

bool any_passes(const Json& filters, const Json* found) {
  const bool is_leaf = found != nullptr && !found->is_object();
  return std::ranges::any_of(filters, [&](const Json& filter) {
    if (const bool* const must = existence(filter)) return *must == is_leaf;
    if (!is_leaf) return false;
    if (!found->is_array()) return passes(filter, *found);
    return std::ranges::any_of(*found, [&](const Json& each) { return passes(filter, each); });
  });
}

bool object_matches(const Json& pattern, const Json* event) {
  if (event != nullptr && event->is_array())
    return std::ranges::any_of(*event,
                               [&](const Json& each) { return object_matches(pattern, &each); });
  return std::ranges::all_of(pattern.items(), [&](const auto& entry) {
    if (entry.key() == "$or")
      return std::ranges::any_of(entry.value(), [&](const Json& alternative) {
        return object_matches(alternative, event);
      });
    const Json* below = nullptr;
    if (event != nullptr && event->is_object())
      if (const auto found = event->find(entry.key()); found != event->end()) below = &*found;
    return entry.value().is_array() ? any_passes(entry.value(), below)
                                    : object_matches(entry.value(), below);
  });
}

}  // namespace

EventPattern::EventPattern(std::string_view text, const std::string& error)
    : pattern_(parse_shallow_json(text)) {
  if (pattern_.is_discarded())
    throw cloud::ApiError(error, "Event pattern is not valid. Reason: it is not JSON");
  try {
    check_object(pattern_, "", 0);
  } catch (const std::invalid_argument& wrong) {
    throw cloud::ApiError(error,
                          std::string("Event pattern is not valid. Reason: ") + wrong.what());
  }
}

bool EventPattern::matches(const Json& event) const { return object_matches(pattern_, &event); }

}  // namespace sim::messaging
