#include "fakes/fis/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace fakes::fis {
namespace {

// Parses a duration in ISO 8601: "PT2M", "PT1H30M", "PT90S".
std::optional<sim::Duration> parse_iso_duration(std::string_view text) {
  if (!text.starts_with("PT") || text.size() < 4) return {};
  text.remove_prefix(2);
  sim::Duration sum{};
  std::int64_t number = 0;
  bool digits = false;
  for (const char c : text) {
    if (c >= '0' && c <= '9' && number < 100'000) {
      number = number * 10 + (c - '0');
      digits = true;
      continue;
    }
    if (!digits || (c != 'H' && c != 'M' && c != 'S')) return {};
    sum += number * (c == 'H'   ? sim::Duration(std::chrono::hours{1})
                     : c == 'M' ? sim::Duration(std::chrono::minutes{1})
                                : sim::Duration(std::chrono::seconds{1}));
    number = 0;
    digits = false;
  }
  if (digits) return {};
  return sum;
}

}  // namespace

ApiError invalid_parameter(const std::string& why) { return {"ValidationException", why}; }

sim::Duration duration_in(const ActionParameters& parameters, const char* name, sim::Duration least,
                          sim::Duration most) {
  const auto found = parameters.find(name);
  const auto value = found == parameters.end() ? std::nullopt : parse_iso_duration(found->second);
  if (!value || *value < least || *value > most)
    throw invalid_parameter(fmt::format("Parameter {}: expected a duration from {} to {}, as PT2M",
                                        name, sim::format_duration(least),
                                        sim::format_duration(most)));
  return *value;
}

void check_parameters(const ExperimentActionKind& kind, const ActionParameters& parameters) {
  for (const auto& [name, value] : parameters)
    if (std::ranges::find(kind.parameters, name, &ActionParameterRow::name) ==
        kind.parameters.end())
      throw invalid_parameter("The action has no parameter " + name + ".");
  if (kind.check != nullptr) kind.check(parameters);
}

std::vector<std::string> list_in(const ActionParameters& parameters, const char* name) {
  const auto found = parameters.find(name);
  std::vector<std::string> list(1);
  for (const char c : found == parameters.end() ? "" : found->second) {
    if (c == ',')
      list.emplace_back();
    else if (c != ' ')
      list.back() += c;
  }
  if (std::ranges::find(list, "") != list.end())
    throw invalid_parameter(fmt::format("Parameter {}: expected names with commas", name));
  return list;
}

int percentage_in(const ActionParameters& parameters) {
  const auto found = parameters.find("percentage");
  if (found == parameters.end()) return 100;
  const std::string& text = found->second;
  int value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size() || value < 1 || value > 100)
    throw invalid_parameter("Parameter percentage: expected a whole number from 1 to 100");
  return value;
}

}  // namespace fakes::fis
