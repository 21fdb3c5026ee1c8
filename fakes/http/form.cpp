#include "fakes/http/form.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/locale/utf.hpp>
#include <vector>

#include "sim/cloud/error.h"

namespace fakes {
namespace {

using sim::cloud::ApiError;

constexpr std::size_t kMostParameters = 2000;

ApiError malformed(const std::string& why) { return ApiError("MalformedQueryString", why); }

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool is_text(std::string_view bytes) {
  const auto plain = [](char c) { return c >= 0x20 && c <= 0x7e; };
  if (std::ranges::all_of(bytes, plain)) return true;
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

void add(std::string_view item, Form& form) {
  const auto equals = item.find('=');
  std::string key = percent_decode(item.substr(0, equals));
  std::string value;
  if (equals != std::string_view::npos) value = percent_decode(item.substr(equals + 1));
  if (key.empty()) throw malformed("A parameter has no name.");
  if (form.size() >= kMostParameters) {
    throw malformed(fmt::format("More than {} parameters.", kMostParameters));
  }
  const auto [at, added] = form.try_emplace(std::move(key), std::move(value));
  if (!added) {
    throw malformed("The parameter " + at->first + " is given more than once.");
  }
}

}  // namespace

std::string percent_decode(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  for (auto at = text.begin(); at != text.end(); ++at) {
    const auto coded = std::find_if(at, text.end(), [](char c) { return c == '+' || c == '%'; });
    bytes.append(at, coded);
    if (coded == text.end()) break;
    at = coded;
    if (*at == '+') {
      bytes += ' ';
      continue;
    }
    const bool room = text.end() - at > 2;
    const int high = room ? hex_digit(at[1]) : -1, low = room ? hex_digit(at[2]) : -1;
    if (high < 0 || low < 0) throw malformed("The query string has a '%' without two digits.");
    bytes += static_cast<char>(high * 16 + low);
    at += 2;
  }
  if (!is_text(bytes)) throw malformed("The query string is not UTF-8 text.");
  return bytes;
}

void parse_form(std::string_view encoded, Form& form) {
  while (!encoded.empty()) {
    const auto end = encoded.find('&');
    const auto item = encoded.substr(0, end);
    if (!item.empty()) add(item, form);
    if (end == std::string_view::npos) break;
    encoded.remove_prefix(end + 1);
  }
}

std::string percent_encode_unprintable(std::string_view text) {
  const auto printable = [](char c) { return c > ' ' && c < 0x7f; };
  if (std::ranges::all_of(text, printable)) return std::string(text);
  std::string out;
  for (const char c : text) {
    if (printable(c)) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

}  // namespace fakes
