#include "fakes/http/printable.h"

#include <fmt/format.h>

#include <algorithm>

namespace fakes {

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
