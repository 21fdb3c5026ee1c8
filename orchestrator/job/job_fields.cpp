#include "orchestrator/job/job_fields.h"

#include <fmt/format.h>

#include <algorithm>

#include "orchestrator/failure.h"

namespace spotrun {
namespace {

constexpr std::size_t kMostShown = 60;

std::string shown(const nlohmann::json& value) {
  std::string text = value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  if (text.size() > kMostShown) text = text.substr(0, kMostShown) + "…";
  return text;
}

// A member's name in a JSON pointer (RFC 6901 section 3).
std::string escaped(const std::string& name) {
  std::string text;
  for (const char c : name) {
    if (c == '~')
      text += "~0";
    else if (c == '/')
      text += "~1";
    else
      text += c;
  }
  return text;
}

}  // namespace

JobFields::JobFields(const nlohmann::json& object, std::string file, std::string pointer)
    : object_(object), file_(std::move(file)), pointer_(std::move(pointer)) {
  if (!object.is_object()) {
    throw Failure(ExitCode::kBadInput,
                  fmt::format("{}: {}: found {}, expected an object", file_,
                              pointer_.empty() ? "/" : pointer_, shown(object)));
  }
}

void JobFields::fail(const std::string& name, const std::string& found,
                     const std::string& expected) const {
  throw Failure(ExitCode::kBadInput, fmt::format("{}: {}/{}: found {}, expected {}", file_,
                                                 pointer_, escaped(name), found, expected));
}

const nlohmann::json* JobFields::find(const std::string& name) {
  read_.insert(name);
  const auto found = object_.find(name);
  return found == object_.end() ? nullptr : &*found;
}

std::string JobFields::checked(const nlohmann::json& value, const std::string& name,
                               const std::string& expected) const {
  if (!value.is_string()) fail(name, shown(value), expected);
  const auto text = value.get<std::string>();
  if (text.empty() || text.find('\0') != std::string::npos) fail(name, shown(value), expected);
  return text;
}

std::optional<std::string> JobFields::text(const std::string& name, const std::string& expected) {
  const auto* value = find(name);
  if (!value) return std::nullopt;
  return checked(*value, name, expected);
}

std::optional<int> JobFields::integer(const std::string& name, int low, int high) {
  const auto* value = find(name);
  if (!value) return std::nullopt;
  const auto in_range = [&] {
    if (value->is_number_unsigned()) return value->get<std::uint64_t>() <= std::uint64_t(high);
    return value->is_number_integer() && value->get<std::int64_t>() <= high;
  };
  if (!in_range() || value->get<std::int64_t>() < low) {
    fail(name, shown(*value), fmt::format("a whole number from {} to {}", low, high));
  }
  return value->get<int>();
}

std::optional<JobFields> JobFields::object(const std::string& name) {
  const auto* value = find(name);
  if (!value) return std::nullopt;
  return JobFields(*value, file_, pointer_ + "/" + escaped(name));
}

std::vector<std::string> JobFields::texts(const std::string& name, const std::string& expected) {
  const auto* value = find(name);
  if (!value) return {};
  if (!value->is_array()) fail(name, shown(*value), "a list, each item " + expected);
  std::vector<std::string> items;
  for (std::size_t i = 0; i < value->size(); ++i) {
    if (!(*value)[i].is_string()) fail(fmt::format("{}/{}", name, i), shown((*value)[i]), expected);
    items.push_back(checked((*value)[i], name, expected));
  }
  return items;
}

std::string JobFields::required_text(const std::string& name, const std::string& expected) {
  if (auto value = text(name, expected)) return *value;
  fail(name, "nothing", expected);
}

int JobFields::required_integer(const std::string& name, int low, int high) {
  if (auto value = integer(name, low, high)) return *value;
  fail(name, "nothing", fmt::format("a whole number from {} to {}", low, high));
}

JobFields JobFields::required_object(const std::string& name) {
  if (auto value = object(name)) return *value;
  fail(name, "nothing", "an object");
}

std::vector<std::string> JobFields::names() const {
  std::vector<std::string> all;
  for (const auto& [name, value] : object_.items()) all.push_back(name);
  return all;
}

void JobFields::finish() const {
  for (const auto& [name, value] : object_.items()) {
    if (read_.contains(name)) continue;
    std::string known;
    for (const auto& other : read_) known += (known.empty() ? "" : ", ") + other;
    fail(name, "an unknown key", "one of " + known);
  }
}

}  // namespace spotrun
