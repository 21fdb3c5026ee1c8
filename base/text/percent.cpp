#include "base/text/percent.h"

#include <algorithm>
#include <array>

namespace base {
namespace {

constexpr auto kUnreserved = [] {
  std::array<bool, 256> table{};
  for (const char c : std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                       "0123456789-_.~"))
    table[static_cast<unsigned char>(c)] = true;
  return table;
}();

}  // namespace

void append_percent(std::string& out, std::string_view text, std::string_view safe) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  const auto stays = [safe](char c) {
    return kUnreserved[static_cast<unsigned char>(c)] || safe.find(c) != std::string_view::npos;
  };
  for (auto at = text.begin();; ++at) {
    const auto coded = std::find_if_not(at, text.end(), stays);
    out.append(at, coded);
    if (coded == text.end()) return;
    at = coded;
    const auto byte = static_cast<unsigned char>(*at);
    out += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
  }
}

}  // namespace base
