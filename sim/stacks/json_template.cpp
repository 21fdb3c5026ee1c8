#include "sim/stacks/json_template.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/stacks/template_text.h"

namespace sim::stacks {
namespace {

ApiError not_well_formed(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, byte > 0 ? byte - 1 : 0);
  const auto line = 1 + std::ranges::count(before, '\n');
  const auto column = before.size() - (before.rfind('\n') + 1) + 1;
  return invalid(fmt::format("Template format error: JSON not well-formed. (line {}, column {})",
                             line, column));
}

void make_strings(Json& tree) {
  if (tree.is_structured()) {
    for (Json& child : tree) make_strings(child);
  } else if (!tree.is_string() && !tree.is_null()) {
    tree = tree.dump();
  }
}

}  // namespace

Json read_json_template(std::string_view text) {
  int values = 0;
  const auto limit = [&values](int depth, Json::parse_event_t, const Json&) {
    if (depth > kDeepest)
      throw invalid(fmt::format(
          "Template format error: the template is nested deeper than {} levels", kDeepest));
    if (++values > 2 * kMostNodes)
      throw invalid(
          fmt::format("Template format error: the template has more than {} values", kMostNodes));
    return true;
  };
  try {
    Json tree = Json::parse(text, limit);
    make_strings(tree);
    return tree;
  } catch (const Json::parse_error& error) {
    throw not_well_formed(text, error.byte);
  } catch (const Json::exception&) {  // a number is out of range
    throw invalid("Template format error: JSON not well-formed.");
  }
}

void refuse_nulls(const Json& tree, const std::string& path) {
  if (tree.is_null())
    throw invalid(
        fmt::format("[{}] 'null' values are not allowed in templates", path.empty() ? "/" : path));
  if (tree.is_array())
    for (std::size_t i = 0; i < tree.size(); ++i)
      refuse_nulls(tree[i], fmt::format("{}/{}", path, i));
  if (tree.is_object())
    for (const auto& [key, value] : tree.items()) refuse_nulls(value, path + "/" + key);
}

}  // namespace sim::stacks
