#include "sim/stacks/functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/text/base64.h"
#include "sim/stacks/cidr.h"
#include "sim/stacks/references.h"

namespace sim::stacks {
namespace {

ApiError template_error(const std::string& message) {
  return invalid("Template error: " + message);
}

// Whether `argument` is a list of `count` arguments.
bool is_list_of(const Json& argument, std::size_t count) {
  return argument.is_array() && argument.size() == count;
}

std::string text_of(const Json& value, const std::string& message) {
  if (!value.is_string()) throw template_error(message);
  return value.get<std::string>();
}

std::optional<std::size_t> index_of(const Json& value) {
  if (!value.is_string()) return {};
  const auto& digits = value.get_ref<const std::string&>();
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (error != std::errc() || end != digits.data() + digits.size()) return {};
  return index;
}

// ---- the functions. Arguments are evaluated before the call, except where the table's row says so

Json ref(const Json& argument, const Names& names) {
  const std::string name = text_of(argument, "every Ref object must have a single String value.");
  if (is_pseudo_parameter(name)) return pseudo_value(name, names.pseudo);
  if (const auto found = names.parameters.find(name); found != names.parameters.end())
    return found->second;
  return names.ref(name);
}

Json get_att(const Json& argument, const Names& names) {
  if (argument.is_string()) {
    const auto& text = argument.get_ref<const std::string&>();
    const auto dot = text.find('.');
    return names.attribute(text.substr(0, dot), dot == text.npos ? "" : text.substr(dot + 1));
  }
  constexpr const char* kWords =
      "every Fn::GetAtt object requires two non-empty parameters, the resource name and the "
      "resource attribute";
  if (!is_list_of(argument, 2)) throw template_error(kWords);
  return names.attribute(text_of(argument[0], kWords), text_of(argument[1], kWords));
}

Json base64(const Json& argument, const Names&) {
  return base::base64_encode(
      text_of(argument, "every Fn::Base64 object must have a String-typed value."));
}

Json join(const Json& argument, const Names&) {
  constexpr const char* kWords =
      "every Fn::Join object requires two parameters, (1) a string delimiter and (2) a list of "
      "strings to be joined or a function that returns a list of strings (such as Fn::GetAZs) to "
      "be "
      "joined.";
  if (!is_list_of(argument, 2) || !argument[1].is_array()) throw template_error(kWords);
  const std::string delimiter = text_of(argument[0], kWords);
  std::string joined;
  for (std::size_t i = 0; i < argument[1].size(); ++i)
    joined += (i == 0 ? "" : delimiter) + text_of(argument[1][i], kWords);
  return joined;
}

Json split(const Json& argument, const Names&) {
  constexpr const char* kWords =
      "every Fn::Split object requires two parameters, (1) a string delimiter and (2) a string to "
      "be split or a function that returns a string to be split.";
  if (!is_list_of(argument, 2)) throw template_error(kWords);
  const std::string delimiter = text_of(argument[0], kWords), text = text_of(argument[1], kWords);
  if (delimiter.empty()) throw template_error("Fn::Split delimiter cannot be empty");
  Json pieces = Json::array();
  std::size_t begin = 0;
  for (auto end = text.find(delimiter); end != text.npos; end = text.find(delimiter, begin)) {
    pieces.push_back(text.substr(begin, end - begin));
    begin = end + delimiter.size();
  }
  pieces.push_back(text.substr(begin));
  return pieces;
}

Json select(const Json& argument, const Names&) {
  constexpr const char* kWords =
      "every Fn::Select object requires two parameters, the index and a list of strings";
  if (!is_list_of(argument, 2) || !argument[1].is_array()) throw template_error(kWords);
  const auto index = index_of(argument[0]);
  if (!index) throw template_error(kWords);
  if (*index >= argument[1].size())
    throw template_error(
        fmt::format("Fn::Select cannot select nonexistent value at index {}", *index));
  return argument[1][*index];
}

Json find_in_map(const Json& argument, const Names& names) {
  constexpr const char* kWords =
      "every Fn::FindInMap object requires three parameters, the map name, map key and the "
      "attribute for return value";
  if (!is_list_of(argument, 3)) throw template_error(kWords);
  const Json* at = &names.of.mappings;
  for (const Json& part : argument) {
    const std::string key = text_of(part, kWords);
    if (!at->is_object() || !at->contains(key))
      throw template_error(fmt::format("Unable to get mapping for {}::{}::{}",
                                       text_of(argument[0], kWords), text_of(argument[1], kWords),
                                       text_of(argument[2], kWords)));
    at = &at->at(key);
  }
  return *at;
}

Json get_azs(const Json& argument, const Names& names) {
  const std::string region = text_of(argument, "every Fn::GetAZs object must have a String value.");
  return names.zones(region.empty() ? names.pseudo.region : region);
}

Json import_value(const Json& argument, const Names& names) {
  return names.import(text_of(argument, "the attribute in Fn::ImportValue must be a string"));
}

std::string value_of_sub(const std::string& name, const Json& given, const Names& names) {
  Json value;
  if (given.contains(name))
    value = given.at(name);
  else if (name.find('.') != name.npos)
    value = get_att(name, names);
  else
    value = ref(name, names);
  return text_of(value, fmt::format("the value of ${{{}}} in Fn::Sub is not a string", name));
}

Json sub(const Json& argument, const Names& names) {
  const bool has_map = argument.is_array();
  const Json given = has_map ? evaluate(argument.at(1), names) : Json::object();
  const Json& text = has_map ? argument.at(0) : argument;
  std::string made;
  for (const SubPiece& piece : split_sub(text.get<std::string>()))
    made += piece.is_name ? value_of_sub(piece.text, given, names) : piece.text;
  return made;
}

Json if_(const Json& argument, const Names& names) {
  const bool holds = names.conditions.at(argument.at(0).get<std::string>());
  return evaluate(argument.at(holds ? 1 : 2), names);
}

Json cidr(const Json& argument, const Names&) {
  constexpr const char* kWords =
      "every Fn::Cidr object requires two to three parameters, the IP block, the count and the "
      "number of subnet bits";
  if (!is_list_of(argument, 2) && !is_list_of(argument, 3)) throw template_error(kWords);
  const auto count = index_of(argument[1]);
  const auto bits = argument.size() == 3 ? index_of(argument[2]) : std::optional<std::size_t>(8);
  if (!count || !bits) throw template_error(kWords);
  const auto blocks = subdivide(text_of(argument[0], kWords), *count, *bits);
  if (!blocks) throw template_error(fmt::format("Fn::Cidr cannot divide {}", argument.dump()));
  return *blocks;
}

struct Function {
  std::string_view name;
  Json (*call)(const Json& argument, const Names& names);
  bool evaluates_itself = false;
};

constexpr Function kFunctions[] = {
    {"Ref", ref},
    {"Fn::Base64", base64},
    {"Fn::Cidr", cidr},
    {"Fn::FindInMap", find_in_map},
    {"Fn::GetAZs", get_azs},
    {"Fn::GetAtt", get_att},
    {"Fn::If", if_, true},
    {"Fn::ImportValue", import_value},
    {"Fn::Join", join},
    {"Fn::Select", select},
    {"Fn::Split", split},
    {"Fn::Sub", sub, true},
};

Json evaluate_children(const Json& value, const Names& names) {
  Json made = value.is_array() ? Json::array() : Json::object();
  for (const auto& [key, child] : value.items()) {
    Json evaluated = evaluate(child, names);
    if (evaluated.is_null()) continue;  // AWS::NoValue
    if (value.is_array())
      made.push_back(std::move(evaluated));
    else
      made[key] = std::move(evaluated);
  }
  return made;
}

// ---- conditions

class Conditions {
 public:
  Conditions(const Template& of, const PseudoParameters& pseudo,
             const std::map<std::string, Json>& parameters)
      : of_(of),
        names_{of,
               pseudo,
               parameters,
               values_,
               [](const std::string&) -> Json { throw no_resources(); },
               [](const std::string&, const std::string&) -> Json { throw no_resources(); },
               [](const std::string&) -> std::string {
                 throw template_error("Cannot use Fn::ImportValue in Conditions.");
               },
               [](const std::string&) -> std::vector<std::string> {
                 throw template_error("Cannot use Fn::GetAZs in Conditions.");
               }} {}

  bool named(const std::string& name) {
    if (const auto found = values_.find(name); found != values_.end()) return found->second;
    if (!of_.conditions.contains(name))
      throw invalid("Template format error: Unresolved condition dependency " + name +
                    " in the Conditions block of the template");
    if (!open_.insert(name).second)
      throw template_error("Found circular condition dependency between: " + name);
    const bool holds = is_true(of_.conditions.at(name));
    return values_[name] = holds;
  }
  std::map<std::string, bool> values() && { return std::move(values_); }

 private:
  static ApiError no_resources() {
    return invalid(
        "Template format error: Unresolved dependencies. Cannot reference resources in the "
        "Conditions block of the template");
  }

  bool is_true(const Json& value) {
    if (!value.is_object() || value.size() != 1)
      throw invalid("Template format error: Every Condition member must be a function.");
    const auto only = value.items().begin();
    const std::string& function = only.key();
    const Json& argument = only.value();
    if (function == "Condition" && argument.is_string()) return named(argument.get<std::string>());
    if (function == "Fn::Equals") return equal(argument);
    if (function == "Fn::Not" && is_list_of(argument, 1)) return !is_true(argument[0]);
    const bool many = argument.is_array() && argument.size() >= 2 && argument.size() <= 10;
    // All operands are evaluated, so that an error in the last operand is reported, too.
    if (many && (function == "Fn::And" || function == "Fn::Or")) {
      const auto count =
          std::ranges::count_if(argument, [&](const Json& one) { return is_true(one); });
      return function == "Fn::Or" ? count > 0
                                  : count == static_cast<std::ptrdiff_t>(argument.size());
    }
    throw template_error(
        fmt::format("{} is no condition, or does not have the operands that it needs", function));
  }

  bool equal(const Json& argument) const {
    if (!is_list_of(argument, 2))
      throw template_error("every Fn::Equals object requires a list of 2 string parameters.");
    return evaluate(argument[0], names_) == evaluate(argument[1], names_);
  }

  const Template& of_;
  std::map<std::string, bool> values_;
  std::set<std::string> open_;
  Names names_;
};

}  // namespace

Json evaluate(const Json& value, const Names& names) {
  if (!value.is_structured()) return value;
  if (value.is_object() && value.size() == 1) {
    const auto only = value.items().begin();
    const auto function = std::ranges::find(kFunctions, only.key(), &Function::name);
    if (function != std::end(kFunctions))
      return function->evaluates_itself ? function->call(only.value(), names)
                                        : function->call(evaluate(only.value(), names), names);
    if (only.key().starts_with("Fn::"))
      throw template_error(
          fmt::format("the function {} is not part of this simulated AWS, or not "
                      "allowed here",
                      only.key()));
  }
  return evaluate_children(value, names);
}

Json decide_ifs(const Json& value, const std::map<std::string, bool>& conditions) {
  if (!value.is_structured()) return value;
  if (value.is_object() && value.size() == 1 && value.contains("Fn::If")) {
    const Json& argument = value.at("Fn::If");
    return decide_ifs(argument.at(conditions.at(argument.at(0).get<std::string>()) ? 1 : 2),
                      conditions);
  }
  Json decided = value;
  for (Json& child : decided) child = decide_ifs(child, conditions);
  return decided;
}

std::map<std::string, bool> evaluate_conditions(const Template& of, const PseudoParameters& pseudo,
                                                const std::map<std::string, Json>& parameters) {
  Conditions conditions(of, pseudo, parameters);
  for (const auto& [name, unused] : of.conditions.items()) conditions.named(name);
  return std::move(conditions).values();
}

}  // namespace sim::stacks
