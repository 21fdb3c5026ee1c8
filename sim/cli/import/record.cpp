#include "sim/cli/import/record.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace sim::cli {
namespace {

std::string shown(const Json& json) {
  constexpr std::size_t kMost = 60;
  if (json.is_object()) return "an object";
  if (json.is_array()) return "a list";
  const std::string text = json.dump(-1, ' ', true, Json::error_handler_t::replace);
  return text.size() <= kMost ? text : text.substr(0, kMost) + "…";
}

// Instants of 1973 and later in milliseconds are larger than all instants until 5138 in seconds.
std::optional<Time> time_of_number(double number) {
  const double since = std::abs(number) >= 1e11 ? number / 1e3 : number;
  constexpr double kYear2200 = 7258118400;
  if (!(since >= 0 && since < kYear2200)) return {};
  return Time{} + std::chrono::milliseconds{std::llround(since * 1e3)};
}

}  // namespace

Record::Record(const Json& json, const std::filesystem::path& file, std::string place)
    : json_(&json), file_(&file), place_(std::move(place)) {}

void Record::fail(const std::string& expected) const {
  throw RecordError(fmt::format("{}: {}: found {}, expected {}", file_->string(),
                                place_.empty() ? "the document" : place_, shown(*json_), expected));
}

std::optional<Record> Record::find(const char* name) const {
  if (!json_->is_object()) return {};
  const auto found = json_->find(name);
  if (found == json_->end() || found->is_null()) return {};
  return Record(*found, *file_, place_.empty() ? name : place_ + "." + name);
}

Record Record::at(const char* name, const std::string& expected) const {
  if (!json_->is_object()) fail("an object with " + std::string(name));
  if (const auto member = find(name)) return *member;
  throw RecordError(fmt::format("{}: {}: found none, expected {}", file_->string(),
                                place_.empty() ? name : place_ + "." + name, expected));
}

std::vector<Record> Record::items() const {
  if (!json_->is_array()) fail("a list");
  std::vector<Record> list;
  list.reserve(json_->size());
  for (std::size_t i = 0; i < json_->size(); ++i)
    list.emplace_back((*json_)[i], *file_, fmt::format("{}[{}]", place_, i));
  return list;
}

std::vector<Record> Record::list(const char* name) const {
  const auto member = find(name);
  if (!member) return {};
  if (member->json().is_object())
    return member->has("items") ? member->list("items") : std::vector<Record>{};
  return member->items();
}

std::optional<std::string> Record::text(const char* name) const {
  const auto member = find(name);
  if (!member) return {};
  if (!member->json().is_string()) member->fail("a text");
  return member->json().get<std::string>();
}

std::string Record::required_text(const char* name, const std::string& expected) const {
  const Record member = at(name, expected);
  if (!member.json().is_string() || member.json().get_ref<const std::string&>().empty())
    member.fail(expected);
  return member.json().get<std::string>();
}

std::optional<double> Record::number(const char* name) const {
  const auto member = find(name);
  if (!member) return {};
  if (!member->json().is_number()) member->fail("a number");
  return member->json().get<double>();
}

std::optional<Time> Record::time(const char* name) const {
  const auto member = find(name);
  if (!member) return {};
  std::optional<Time> time;
  if (member->json().is_number()) time = time_of_number(member->json().get<double>());
  if (member->json().is_string()) time = parse_time(member->json().get_ref<const std::string&>());
  if (!time) member->fail("an instant such as 2019-11-05T10:00:00Z");
  return time;
}

Time Record::required_time(const char* name) const {
  at(name, "an instant such as 2019-11-05T10:00:00Z");
  return *time(name);
}

}  // namespace sim::cli
