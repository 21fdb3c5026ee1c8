#include "sim/stacks/parameters.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace sim::stacks {
namespace {

ApiError broken(const ParameterDefinition& of, const std::string& rule) {
  return invalid(of.constraint_description.empty()
                     ? fmt::format("Parameter '{}' must {}", of.name, rule)
                     : fmt::format("Parameter '{}' failed to satisfy constraint: {}", of.name,
                                   of.constraint_description));
}

void check_pattern(const ParameterDefinition& of, const std::string& value) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  const re2::RE2 pattern(of.allowed_pattern, options);
  if (!pattern.ok())
    throw invalid(
        fmt::format("Template format error: the AllowedPattern of parameter '{}' is not "
                    "part of this simulated AWS: {}",
                    of.name, pattern.error()));
  if (!re2::RE2::FullMatch(value, pattern)) throw broken(of, "match pattern " + of.allowed_pattern);
}

void check_number(const ParameterDefinition& of, const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0') throw broken(of, "be a number");
  if (of.min_value && value < *of.min_value)
    throw broken(of, fmt::format("be a number not less than {}", *of.min_value));
  if (of.max_value && value > *of.max_value)
    throw broken(of, fmt::format("be a number not greater than {}", *of.max_value));
}

void check(const ParameterDefinition& of, const std::string& value) {
  if (!of.allowed_values.empty() &&
      std::ranges::find(of.allowed_values, value) == of.allowed_values.end())
    throw broken(of, "be one of AllowedValues");
  if (!of.allowed_pattern.empty()) check_pattern(of, value);
  const double length = static_cast<double>(value.size());
  if (of.min_length && length < *of.min_length)
    throw broken(of, fmt::format("contain at least {} characters", *of.min_length));
  if (of.max_length && length > *of.max_length)
    throw broken(of, fmt::format("contain at most {} characters", *of.max_length));
  if (of.type == "Number") check_number(of, value);
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> items;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(',', begin), text.size());
    std::string item = text.substr(begin, end - begin);
    item.erase(0, item.find_first_not_of(' '));
    item.erase(item.find_last_not_of(' ') + 1);
    items.push_back(std::move(item));
    begin = end + 1;
  }
  return items;
}

Json as_value(const ParameterDefinition& of, const std::string& text) {
  if (!of.is_list()) return text;
  const auto items = split_at_commas(text);
  if (of.type == "List<Number>")
    for (const std::string& item : items) check_number(of, item);
  return items;
}

std::optional<std::string> text_for(const ParameterDefinition& of,
                                    const std::map<std::string, GivenParameter>& given,
                                    const std::map<std::string, std::string>& previous) {
  const auto said = given.find(of.name);
  if (said == given.end()) return of.default_value;
  if (!said->second.use_previous) return said->second.value.value_or("");
  const auto before = previous.find(of.name);
  return before == previous.end() ? std::nullopt : std::optional(before->second);
}

}  // namespace

ParameterValues parameter_values(
    const Template& of, const std::map<std::string, GivenParameter>& given,
    const std::map<std::string, std::string>& previous,
    const std::function<std::optional<std::string>(const std::string& name)>& store) {
  std::vector<std::string> unknown, missing;
  for (const auto& [name, unused] : given)
    if (!of.parameter(name)) unknown.push_back(name);
  if (!unknown.empty())
    throw invalid(
        fmt::format("Parameters: [{}] do not exist in the template", fmt::join(unknown, ", ")));
  ParameterValues made;
  for (const ParameterDefinition& parameter : of.parameters) {
    const auto text = text_for(parameter, given, previous);
    if (text)
      made.texts[parameter.name] = *text;
    else
      missing.push_back(parameter.name);
  }
  if (!missing.empty())
    throw invalid(fmt::format("Parameters: [{}] must have values", fmt::join(missing, ", ")));
  for (const ParameterDefinition& parameter : of.parameters) {
    std::string text = made.texts.at(parameter.name);
    check(parameter, text);
    if (parameter.from_parameter_store()) {
      const auto found = store(text);
      if (!found)
        throw invalid(
            fmt::format("Unable to fetch parameters [{}] from parameter store for this "
                        "account.",
                        text));
      text = made.resolved[parameter.name] = *found;
    }
    made.values[parameter.name] = as_value(parameter, text);
  }
  return made;
}

}  // namespace sim::stacks
