#include "base/base64.h"

#include <algorithm>
#include <cstdint>

namespace base {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string base64_encode(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (; !bytes.empty(); bytes.remove_prefix(std::min<std::size_t>(3, bytes.size()))) {
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i)
      group = group << 8 | (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0u);
    for (std::size_t i = 0; i < 4; ++i)
      text += i <= bytes.size() ? kAlphabet[group >> (18 - 6 * i) & 63] : '=';
  }
  return text;
}

std::optional<std::string> base64_decode(std::string_view text) {
  std::string bytes;
  std::uint32_t group = 0;
  std::size_t characters = 0, padding = 0;
  for (const char c : text) {
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') continue;
    const std::size_t value = kAlphabet.find(c);
    if (c == '=' ? ++padding > 2 : value == std::string_view::npos || padding > 0) return {};
    group = group << 6 | (c == '=' ? 0u : static_cast<std::uint32_t>(value));
    if (++characters % 4 != 0) continue;
    for (const int shift : {16, 8, 0}) bytes += static_cast<char>(group >> shift & 255);
  }
  if (characters % 4 != 0) return {};
  bytes.resize(bytes.size() - padding);
  return bytes;
}

}  // namespace base
