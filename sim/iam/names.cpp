#include "sim/iam/names.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/lower_case.h"
#include "sim/iam/quotas.h"

namespace sim::iam {
namespace {

constexpr std::size_t kLongestKey = 128, kLongestValue = 256;

bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// Letters and digits of any alphabet (each byte beyond ASCII), blanks and _.:/=+-@
bool may_be_in_a_tag(char c) {
  return is_alphanumeric(c) || static_cast<unsigned char>(c) >= 0x80 ||
         std::string_view(" _.:/=+-@").find(c) != std::string_view::npos;
}

// `where` is the member of the request.
void check_tag_text(const std::string& text, std::string_view where, std::size_t longest) {
  const auto fail = [&](std::string_view must) {
    throw ApiError("ValidationError", fmt::format("1 validation error detected: Value '{}' at "
                                                  "'{}' failed to satisfy "
                                                  "constraint: Member must {}",
                                                  text, where, must));
  };
  if (text.size() > longest) fail(fmt::format("have length less than or equal to {}.", longest));
  if (!std::ranges::all_of(text, may_be_in_a_tag))
    fail("satisfy regular expression pattern: [\\p{L}\\p{Z}\\p{N}_.:/=+\\-@]+");
}

}  // namespace

bool CaseBlindLess::operator()(std::string_view a, std::string_view b) const {
  return base::lower_case(a) < base::lower_case(b);
}

void check_name(std::string_view name, std::string_view member) {
  const bool good = !name.empty() && std::ranges::all_of(name, [](char c) {
    return is_alphanumeric(c) || std::string_view("+=,.@_-").find(c) != std::string_view::npos;
  });
  if (good) return;
  throw ApiError("ValidationError",
                 fmt::format("The specified value for {} is invalid. It must contain only "
                             "alphanumeric characters and/or the following: +=,.@_-",
                             member));
}

void check_session_name(std::string_view name, std::string_view member) {
  const bool good = std::ranges::all_of(name, [](char c) {
    return is_alphanumeric(c) || std::string_view("_+=,.@-").find(c) != std::string_view::npos;
  });
  if (!good) throw invalid_value(name, member, R"([\w+=,.@-]*)");
}

void check_path(std::string_view path) {
  const bool printable = std::ranges::all_of(path, [](char c) { return c >= 0x21 && c <= 0x7e; });
  if (path.starts_with('/') && path.ends_with('/') && printable) return;
  throw ApiError("ValidationError",
                 "The specified value for path is invalid. It must begin and end with / and "
                 "contain only alphanumeric characters and/or / characters.");
}

void check_tags(const Tags& tags) {
  if (tags.size() > quotas::kTags)
    throw ApiError("LimitExceeded", "The number of tags has reached the maximum limit.", 409);
  for (const auto& [key, value] : tags) {
    check_tag_text(key, "tags.X.member.key", kLongestKey);
    check_tag_text(value, "tags.X.member.value", kLongestValue);
    if (base::lower_case(key).starts_with("aws:"))
      throw ApiError("InvalidInput",
                     "aws: prefixed tag key names are not allowed for external use.");
  }
}

void merge_tags(Entity& entity, const Tags& more) {
  Tags all = more;
  all.insert(entity.tags.begin(), entity.tags.end());
  check_tags(all);
  entity.tags = std::move(all);
}

void erase_tags(Entity& entity, const std::vector<std::string>& keys) {
  for (const std::string& key : keys) check_tag_text(key, "tagKeys", kLongestKey);
  for (const std::string& key : keys) entity.tags.erase(key);
}

ApiError invalid_value(std::string_view value, std::string_view member, std::string_view pattern) {
  return {"ValidationError",
          fmt::format("1 validation error detected: Value '{}' at '{}' failed to satisfy "
                      "constraint: Member must satisfy regular expression pattern: {}",
                      value, member, pattern)};
}

ApiError no_such_entity(const std::string& message) {
  return ApiError("NoSuchEntity", message, 404);
}

ApiError already_exists(const std::string& message) {
  return ApiError("EntityAlreadyExists", message, 409);
}

ApiError delete_conflict(const std::string& message) {
  return ApiError("DeleteConflict", message, 409);
}

ApiError limit_exceeded(const std::string& quota, std::size_t most) {
  return ApiError("LimitExceeded", fmt::format("Cannot exceed quota for {}: {}", quota, most), 409);
}

}  // namespace sim::iam
