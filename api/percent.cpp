#include "api/percent.h"

#include <algorithm>
#include <boost/locale/utf.hpp>

#include "api/refusal.h"

namespace api {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::string percent_decode(std::string_view text, bool plus_is_blank) {
  std::string bytes;
  bytes.reserve(text.size());
  const auto is_coded = [plus_is_blank](char c) { return c == '%' || (plus_is_blank && c == '+'); };
  for (auto at = text.begin(); at != text.end(); ++at) {
    const auto coded = std::find_if(at, text.end(), is_coded);
    bytes.append(at, coded);
    if (coded == text.end()) break;
    at = coded;
    if (*at == '+') {
      bytes += ' ';
      continue;
    }
    const bool room = text.end() - at > 2;
    const int high = room ? hex_digit(at[1]) : -1, low = room ? hex_digit(at[2]) : -1;
    if (high < 0 || low < 0)
      throw Refusal(Refusal::Why::kMalformed, "", "",
                    "The query string has a '%' without two digits.");
    bytes += static_cast<char>(high * 16 + low);
    at += 2;
  }
  if (!is_text(bytes))
    throw Refusal(Refusal::Why::kMalformed, "", "", "The query string is not UTF-8 text.");
  return bytes;
}

bool is_text(std::string_view bytes) {
  if (std::ranges::all_of(bytes, [](char c) { return c >= 0x20 && c <= 0x7e; })) return true;
  using Utf8 = boost::locale::utf::utf_traits<char>;
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  while (at != end) {
    const auto point = Utf8::decode(at, end);
    if (point == boost::locale::utf::illegal || point == boost::locale::utf::incomplete)
      return false;
    if (point < 0x20 && point != '\t' && point != '\n' && point != '\r') return false;
  }
  return true;
}

}  // namespace api
