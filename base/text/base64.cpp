#include "base/text/base64.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace base {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::uint8_t kNoValue = 64;  // no value of a character; a bit that no value has

constexpr std::array<std::uint8_t, 256> values_of_characters() {
  std::array<std::uint8_t, 256> values{};
  values.fill(kNoValue);
  for (std::size_t i = 0; i < kAlphabet.size(); ++i)
    values[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::uint8_t>(i);
  return values;
}
constexpr auto kCharacterValues = values_of_characters();

std::uint32_t value_of(char c) { return kCharacterValues[static_cast<unsigned char>(c)]; }

// Removes whole groups of four from the front of `text` and decodes them, up to the first group
// with another character.
std::string decode_whole_groups(std::string_view& text) {
  std::string bytes(text.size() / 4 * 3, '\0');
  char* out = bytes.data();
  for (; text.size() >= 4; text.remove_prefix(4)) {
    const std::uint32_t a = value_of(text[0]), b = value_of(text[1]), c = value_of(text[2]),
                        d = value_of(text[3]);
    if ((a | b | c | d) >= kNoValue) break;
    const std::uint32_t group = a << 18 | b << 12 | c << 6 | d;
    *out++ = static_cast<char>(group >> 16);
    *out++ = static_cast<char>(group >> 8);
    *out++ = static_cast<char>(group);
  }
  bytes.resize(static_cast<std::size_t>(out - bytes.data()));
  return bytes;
}

}  // namespace

std::string base64_encode(std::string_view bytes) {
  std::string text((bytes.size() + 2) / 3 * 4, '=');
  char* out = text.data();
  const auto put = [&out](std::uint32_t group, int characters) {
    for (int i = 0; i < characters; ++i) *out++ = kAlphabet[group >> (18 - 6 * i) & 63];
  };
  const auto byte = [&](std::size_t at) -> std::uint32_t {
    return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0;
  };
  std::size_t at = 0;
  for (; at + 3 <= bytes.size(); at += 3) put(byte(at) << 16 | byte(at + 1) << 8 | byte(at + 2), 4);
  if (const std::size_t left = bytes.size() - at; left > 0)
    put(byte(at) << 16 | byte(at + 1) << 8, static_cast<int>(left) + 1);
  return text;
}

std::optional<std::string> base64_decode(std::string_view text) {
  std::string bytes = decode_whole_groups(text);
  std::uint32_t group = 0;
  std::size_t characters = 0, padding = 0;
  for (const char c : text) {
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') continue;
    const std::uint32_t value = value_of(c);
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
