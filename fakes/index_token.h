// Tokens of pages, of which each is the index at which the next page begins.
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/text/base64.h"

namespace fakes {

// `kind` names the list; a token is valid for one kind only: "pricing:".
inline std::string index_token(std::string_view kind, std::size_t index) {
  return base::base64_encode(fmt::format("{}{}", kind, index));
}

// The index in a token. Empty for other texts.
inline std::optional<std::size_t> index_in_token(std::string_view kind, const std::string& token) {
  const std::string text = base::base64_decode(token).value_or("");
  if (!text.starts_with(kind)) return {};
  const char* const end = text.data() + text.size();
  std::size_t index = 0;
  const auto [at, error] = std::from_chars(text.data() + kind.size(), end, index);
  return error == std::errc() && at == end ? std::optional(index) : std::nullopt;
}

}  // namespace fakes
