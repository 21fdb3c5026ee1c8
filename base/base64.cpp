#include "base/base64.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace base {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::uint8_t kNoValue = 64;  // no value of a character

constexpr std::array<std::uint8_t, 256> values_of_characters() {
  std::array<std::uint8_t, 256> values{};
  values.fill(kNoValue);
  for (std::size_t i = 0; i < kAlphabet.size(); ++i)
    values[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::uint8_t>(i);
  return values;
}
constexpr auto kCharacterValues = values_of_characters();

}  // namespace

std::string base64_encode(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (; !bytes.empty(); bytes.remove_prefix(std::min<std::size_t>(3, bytes.size()))) {
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i)
      group = group << 8 | (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0u);
    std::array<char, 4> four;
    for (std::size_t i = 0; i < 4; ++i)
      four[i] = i <= bytes.size() ? kAlphabet[group >> (18 - 6 * i) & 63] : '=';
    text.append(four.data(), four.size());
  }
  return text;
}

std::optional<std::string> base64_decode(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t group = 0;
  std::size_t characters = 0, padding = 0;
  for (const char c : text) {
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') continue;
    const std::uint32_t value = kCharacterValues[static_cast<unsigned char>(c)];
    if (c == '=' ? ++padding > 2 : value == kNoValue || padding > 0) return {};
    group = group << 6 | (c == '=' ? 0u : value);
    if (++characters % 4 != 0) continue;
    const std::array three{static_cast<char>(group >> 16), static_cast<char>(group >> 8),
                           static_cast<char>(group)};
    bytes.append(three.data(), three.size());
  }
  if (characters % 4 != 0) return {};
  bytes.resize(bytes.size() - padding);
  return bytes;
}

}  // namespace base
