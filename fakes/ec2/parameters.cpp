#include "fakes/ec2/parameters.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "sim/cloud/error.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::ApiError;

ApiError invalid(const std::string& name, const std::string& value, std::string_view expected) {
  return ApiError("InvalidParameterValue",
                  fmt::format("Value ({}) for parameter {} is invalid. {}", value, name, expected));
}

template <class Number>
std::optional<Number> parse_number(const std::string& text) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || at != end) return {};
  return value;
}

}  // namespace

Parameters::Parameters(const Form& form) : source_(std::make_shared<Source>(form)) {
  for (const char* name : {"Action", "Version"}) text(name);
}

std::string Parameters::full_name(std::string_view name) const {
  return prefix_ + std::string(name);
}

std::optional<std::string> Parameters::text(std::string_view name) const {
  const auto found = source_->form.find(full_name(name));
  if (found == source_->form.end()) return {};
  use(found);
  return found->second;
}

std::optional<std::int64_t> Parameters::integer(std::string_view name) const {
  const auto value = text(name);
  if (!value) return {};
  const auto number = parse_number<std::int64_t>(*value);
  if (!number) throw invalid(full_name(name), *value, "Expected an integer.");
  return number;
}

std::optional<std::int64_t> Parameters::integer(std::string_view name, std::int64_t low,
                                                std::int64_t high) const {
  const auto number = integer(name);
  if (number && (*number < low || *number > high)) {
    throw invalid(full_name(name), std::to_string(*number),
                  fmt::format("Expected {} to {}.", low, high));
  }
  return number;
}

std::optional<double> Parameters::number(std::string_view name) const {
  const auto value = text(name);
  if (!value) return {};
  const auto number = parse_number<double>(*value);
  if (!number || !(*number >= -1e15 && *number <= 1e15)) {
    throw invalid(full_name(name), *value, "Expected a number.");
  }
  return number;
}

std::optional<bool> Parameters::boolean(std::string_view name) const {
  auto value = text(name);
  if (!value) return {};
  std::transform(value->begin(), value->end(), value->begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (*value == "true" || *value == "1") return true;
  if (*value == "false" || *value == "0") return false;
  throw invalid(full_name(name), *value, "Expected true or false.");
}

std::optional<sim::Time> Parameters::time(std::string_view name) const {
  const auto value = text(name);
  if (!value) return {};
  const auto time = sim::parse_time(*value);
  if (!time) throw invalid(full_name(name), *value, "Expected an ISO 8601 time in UTC.");
  return time;
}

std::optional<sim::market::Usd> Parameters::price(std::string_view name) const {
  const auto value = text(name);
  if (!value || value->empty()) return {};
  const auto usd = sim::market::parse_usd(*value);
  if (!usd || usd->nano <= 0) {
    throw invalid(full_name(name), *value, "Expected a price in US dollars greater than zero.");
  }
  return usd;
}

std::string Parameters::choice(std::string_view name,
                               std::initializer_list<std::string_view> supported) const {
  const auto value = text(name);
  if (!value) return std::string(*supported.begin());
  if (std::find(supported.begin(), supported.end(), *value) == supported.end()) {
    throw invalid(full_name(name), *value,
                  fmt::format("Supported here: {}.", fmt::join(supported, ", ")));
  }
  return *value;
}

std::string Parameters::required(std::string_view name) const {
  const auto value = text(name);
  if (!value || value->empty()) {
    throw ApiError("MissingParameter", "The request must contain the parameter " + full_name(name));
  }
  return *value;
}

std::int64_t Parameters::required_integer(std::string_view name, std::int64_t low,
                                          std::int64_t high) const {
  required(name);
  return *integer(name, low, high);
}

std::vector<std::uint64_t> Parameters::indexes(const std::string& full) const {
  const std::string stem = full + ".";
  std::vector<std::uint64_t> found;
  for (auto it = source_->form.lower_bound(stem);
       it != source_->form.end() && it->first.starts_with(stem); ++it) {
    const auto digits =
        it->first.substr(stem.size(), it->first.find('.', stem.size()) - stem.size());
    const auto index = parse_number<std::uint64_t>(digits);
    // "01" or "0" is no index; it stays unused and becomes an UnknownParameter.
    if (index && *index > 0 && std::to_string(*index) == digits) found.push_back(*index);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::vector<std::string> Parameters::list(std::string_view name) const {
  std::vector<std::string> values;
  for (const auto index : indexes(full_name(name))) {
    if (auto value = text(fmt::format("{}.{}", name, index))) values.push_back(std::move(*value));
  }
  return values;
}

std::vector<std::string> Parameters::required_list(std::string_view name) const {
  auto values = list(name);
  if (values.empty()) {
    throw ApiError("MissingParameter", "The request must contain the parameter " + full_name(name));
  }
  return values;
}

std::vector<Parameters> Parameters::structures(std::string_view name) const {
  std::vector<Parameters> views;
  for (const auto index : indexes(full_name(name))) {
    views.push_back(Parameters(source_, fmt::format("{}{}.{}.", prefix_, name, index)));
  }
  return views;
}

Parameters Parameters::structure(std::string_view name) const {
  return Parameters(source_, full_name(name) + ".");
}

bool Parameters::has(std::string_view name) const {
  const std::string full = full_name(name);
  if (source_->form.contains(full)) return true;
  const auto below = source_->form.lower_bound(full + ".");
  return below != source_->form.end() && below->first.starts_with(full + ".");
}

void Parameters::accept(std::string_view name) const {
  const std::string full = full_name(name);
  const std::string stem = full + ".";
  if (const auto whole = source_->form.find(full); whole != source_->form.end()) use(whole);
  for (auto it = source_->form.lower_bound(stem);
       it != source_->form.end() && it->first.starts_with(stem); ++it) {
    use(it);
  }
}

void Parameters::refuse(std::string_view name) const {
  if (!has(name)) return;
  throw ApiError("UnsupportedOperation",
                 "The parameter " + full_name(name) + " is not supported by this simulated EC2.");
}

void Parameters::check_all_used() const {
  const auto unused = std::ranges::find(source_->used, false);
  if (unused == source_->used.end()) return;
  const auto parameter =
      source_->form.nth(static_cast<std::size_t>(unused - source_->used.begin()));
  throw ApiError("UnknownParameter", "The parameter " + parameter->first + " is not recognized");
}

}  // namespace fakes::ec2
