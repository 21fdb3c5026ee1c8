// A validator for the part of JSON Schema 2020-12 that docs/result.schema.json uses; a keyword
// beyond it is an error, so that the schema cannot outgrow the test unseen.
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

namespace sim::run {

class SchemaCheck {
 public:
  explicit SchemaCheck(nlohmann::json schema) : root_(std::move(schema)) {}

  // One line for each violation.
  std::vector<std::string> violations(const nlohmann::json& value) {
    found_.clear();
    check(value, root_, "");
    return found_;
  }

 private:
  using Json = nlohmann::json;

  void fail(const std::string& path, const std::string& why) {
    found_.push_back(path + ": " + why);
  }

  static bool is(const Json& value, const std::string& type) {
    return (type == "object" && value.is_object()) || (type == "array" && value.is_array()) ||
           (type == "string" && value.is_string()) || (type == "boolean" && value.is_boolean()) ||
           (type == "number" && value.is_number()) || (type == "null" && value.is_null()) ||
           (type == "integer" && value.is_number_integer());
  }

  void check(const Json& value, const Json& schema, const std::string& path) {
    for (const auto& [keyword, rule] : schema.items())
      keyword_check(value, schema, keyword, rule, path);
  }

  void keyword_check(const Json& value, const Json& schema, const std::string& keyword,
                     const Json& rule, const std::string& path) {
    if (keyword == "$ref") {
      check(value, root_.at(Json::json_pointer(rule.get<std::string>().substr(1))), path);
    } else if (keyword == "type") {
      const Json types = rule.is_array() ? rule : Json::array({rule});
      bool any = false;
      for (const Json& type : types) any = any || is(value, type);
      if (!any) fail(path, fmt::format("{} is not of type {}", value.dump(), rule.dump()));
    } else if (keyword == "const") {
      if (value != rule) fail(path, "is not " + rule.dump());
    } else if (keyword == "enum") {
      if (std::find(rule.begin(), rule.end(), value) == rule.end())
        fail(path, "not in " + rule.dump());
    } else if (keyword == "minimum") {
      if (value.is_number() && value < rule) fail(path, "is below " + rule.dump());
    } else if (keyword == "maximum") {
      if (value.is_number() && value > rule) fail(path, "is above " + rule.dump());
    } else if (keyword == "pattern") {
      const std::regex pattern(rule.get<std::string>());
      if (value.is_string() && !std::regex_search(value.get<std::string>(), pattern)) {
        fail(path, value.dump() + " does not match " + rule.dump());
      }
    } else if (!structure_check(value, schema, keyword, rule, path)) {
      fail(path, "the validator of this test does not know the keyword " + keyword);
    }
  }

  bool structure_check(const Json& value, const Json& schema, const std::string& keyword,
                       const Json& rule, const std::string& path) {
    if (keyword == "required") {
      for (const std::string key : rule) {
        if (!value.contains(key)) fail(path, "has no " + key);
      }
    } else if (keyword == "properties") {
      for (const auto& [key, inner] : rule.items()) {
        if (value.contains(key)) check(value.at(key), inner, path + "/" + key);
      }
    } else if (keyword == "additionalProperties") {
      for (const auto& [key, unused] : value.items()) {
        if (!rule.get<bool>() && !schema.at("properties").contains(key)) fail(path, "has " + key);
      }
    } else if (keyword == "items") {
      for (std::size_t i = 0; i < value.size(); ++i) {
        check(value[i], rule, path + "/" + std::to_string(i));
      }
    } else {
      return keyword == "$schema" || keyword == "title" || keyword == "$defs";
    }
    return true;
  }

  Json root_;
  std::vector<std::string> found_;
};

}  // namespace sim::run
