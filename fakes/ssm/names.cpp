#include "fakes/ssm/names.h"

#include <algorithm>
#include <cctype>

#include "base/text/lower_case.h"
#include "sim/cloud/error.h"

namespace fakes::ssm {
namespace {

using sim::cloud::ApiError;

constexpr std::ptrdiff_t kMostLevels = 15;
constexpr std::size_t kMostTags = 50;

[[noreturn]] void refuse_name(const std::string& message) {
  throw ApiError("ValidationException", message);
}

bool is_plain(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' || c == '_';
}

bool has_good_characters(const std::string& name) {
  return std::ranges::all_of(name, [](char c) { return is_plain(c) || c == '/'; });
}

[[noreturn]] void refuse_form() {
  refuse_name(
      "Parameter name: can't be prefixed with \"ssm\" (case-insensitive). If formed as a path, it "
      "can consist of sub-paths divided by slash symbol; each sub-path can be formed as a mix of "
      "letters, numbers and the following 3 symbols .-_");
}

[[noreturn]] void refuse_path() {
  refuse_name(
      "The parameter doesn't meet the parameter name requirements. The parameter name must begin "
      "with a forward slash \"/\". It can't be prefixed with \"aws\" or \"ssm\" "
      "(case-insensitive). It must use only letters, numbers, or the following symbols: . "
      "(period), - (hyphen), _ (underscore). Special characters are not allowed. All sub-paths, if "
      "specified, must use the forward slash symbol \"/\". Valid example: "
      "/get/parameters2-/by1./path0_.");
}

}  // namespace

void check_characters(const std::string& name) {
  if (!has_good_characters(name)) refuse_form();
}

bool has_reserved_prefix(const std::string& text) {
  const std::string lower = base::lower_case(text);
  return lower.starts_with("aws") || lower.starts_with("ssm");
}

void check_new_name(const std::string& name) {
  const std::string lower = base::lower_case(name);
  if (has_reserved_prefix(name))
    refuse_name("Parameter name: can't be prefixed with \"aws\" or \"ssm\" (case-insensitive).");
  if (lower.starts_with("/aws"))
    throw ApiError("AccessDeniedException", "No access to reserved parameter name: " + name + ".");
  if (lower.starts_with("/ssm") || !has_good_characters(name)) refuse_form();
  if (name.find('/') != name.npos && !name.starts_with('/'))
    refuse_name("Parameter name must be a fully qualified name.");
  if (name.ends_with('/')) refuse_name("Parameter name must not end with slash.");
  if (std::ranges::count(name, '/') > kMostLevels)
    throw ApiError("HierarchyLevelLimitExceededException",
                   "A hierarchy can have a maximum of 15 levels.");
}

std::string checked_path(const std::string& path) {
  const bool good =
      path.starts_with('/') && has_good_characters(path) && path.find("//") == path.npos;
  if (!good) refuse_path();
  return path.ends_with('/') ? path.substr(0, path.size() - 1) : path;
}

bool is_label(const std::string& text) {
  return !text.empty() && std::ranges::all_of(text, is_plain) &&
         std::isdigit(static_cast<unsigned char>(text[0])) == 0 && !has_reserved_prefix(text);
}

void check_number_of_tags(std::size_t tags) {
  if (tags > kMostTags)
    throw ApiError("TooManyTagsError", "A parameter can have no more than 50 tags.");
}

std::string rooted(const std::string& name) { return name.starts_with('/') ? name : "/" + name; }

bool is_below(const std::string& name, const std::string& path, bool at_any_depth) {
  const std::string full = rooted(name), inside = path + "/";
  if (!full.starts_with(inside)) return false;
  return at_any_depth || full.find('/', inside.size()) == full.npos;
}

}  // namespace fakes::ssm
