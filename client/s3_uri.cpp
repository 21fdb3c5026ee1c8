#include "client/s3_uri.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace client {
namespace {

constexpr std::string_view kScheme = "s3://";

bool is_bucket_name(std::string_view name) {
  const auto is_letter_or_digit = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  };
  return name.size() >= 3 && name.size() <= 63 && is_letter_or_digit(name.front()) &&
         is_letter_or_digit(name.back()) && std::ranges::all_of(name, [&](char c) {
           return is_letter_or_digit(c) || c == '-' || c == '.';
         });
}

// True if a prefix has folders such as "..", which programs that treat keys as paths would resolve.
bool has_odd_folder(std::string_view prefix) {
  while (true) {
    const std::size_t end = std::min(prefix.find('/'), prefix.size());
    const std::string_view folder = prefix.substr(0, end);
    if (folder.empty() || folder == "." || folder == "..") return true;
    if (end == prefix.size()) return false;
    prefix.remove_prefix(end + 1);
  }
}

[[noreturn]] void refuse(std::string_view text) {
  throw std::invalid_argument(fmt::format("found '{}', expected s3://BUCKET/PREFIX", text));
}

}  // namespace

std::optional<S3Uri> parse_s3_uri(std::string_view text) {
  if (!text.starts_with(kScheme)) {
    const bool meant =
        text.size() > 2 && (text[0] == 's' || text[0] == 'S') && text[1] == '3' && text[2] == ':';
    if (meant) refuse(text);
    return {};
  }
  std::string_view rest = text.substr(kScheme.size());
  while (rest.ends_with('/')) rest.remove_suffix(1);
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  const std::string_view bucket = rest.substr(0, slash);
  const std::string_view prefix = slash == rest.size() ? "" : rest.substr(slash + 1);
  if (!is_bucket_name(bucket) || (!prefix.empty() && has_odd_folder(prefix))) refuse(text);
  return S3Uri{std::string(bucket), std::string(prefix)};
}

}  // namespace client
