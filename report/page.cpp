#include "report/page.h"

#include <stdexcept>

#include "report/bundle.h"

namespace page {
namespace {

struct Escape {
  std::string_view found, instead;
};
// These characters occur only in JSON strings. "<" may begin "</script" or "<!--". U+2028 and
// U+2029 end a line of JavaScript.
constexpr Escape kEscapes[] = {
    {"<", "\\u003c"}, {"\xe2\x80\xa8", "\\u2028"}, {"\xe2\x80\xa9", "\\u2029"}};

}  // namespace

const char* const kNoPage =
    "this spotsim was built without its pages, because esbuild or d3 was missing. Install them "
    "(apt-get install esbuild node-d3) and build again (./spotsim build), or do without --report "
    "and --ui (spotsim report --json prints the data)";

bool has_page() { return !kBefore.empty(); }

std::string for_script(std::string_view json) {
  std::string text;
  text.reserve(json.size());
  while (!json.empty()) {
    std::size_t length = 1;
    std::string_view instead = json.substr(0, 1);
    for (const Escape& escape : kEscapes)
      if (json.starts_with(escape.found)) length = escape.found.size(), instead = escape.instead;
    text += instead;
    json.remove_prefix(length);
  }
  return text;
}

std::string live_page() { return std::string(kLive); }

std::string page_of(std::string_view json) {
  if (!has_page()) throw std::runtime_error(kNoPage);
  return std::string(kBefore) + for_script(json) + std::string(kAfter);
}

}  // namespace page
