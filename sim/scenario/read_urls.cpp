// The block `urls`: what guests find on the Internet.
#include <fmt/format.h>

#include "sim/scenario/blocks.h"

namespace sim::scenario {
namespace {

constexpr const char* kContent =
    "a file or folder next to the scenario, or a mapping with one of path, size, status, redirect";
constexpr std::int64_t kMostBytes = 1'000'000'000'000'000;

void read_path(const Value& value, Scenario& s, fakes::WebContent& content) {
  const auto text = value.text(kContent);
  if (!text) return;
  content.path = beside(s, *text);
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(content.path, ignored) &&
      !std::filesystem::is_directory(content.path, ignored))
    value.fail("a file or folder, but there is no " + content.path.string());
}

void read_redirect(const Value& value, fakes::WebContent& content) {
  const auto text = value.text("a URL");
  if (!text) return;
  content.redirect = *text;
  if (!fakes::parse_url(*text)) value.fail("a URL such as https://example.org/there");
}

fakes::WebContent read_content(const Value& entry, Scenario& s) {
  fakes::WebContent content;
  if (!entry.is_map()) return read_path(entry, s, content), content;
  constexpr std::int64_t kMostBytesPerSecond = 1'000'000'000'000;
  Fields fields(entry);
  int kinds = 0;
  if (const auto v = fields.take("path")) read_path(*v, s, content), ++kinds;
  if (const auto v = fields.take("redirect")) read_redirect(*v, content), ++kinds;
  if (const auto v = fields.take("size"))
    content.size = static_cast<std::uint64_t>(v->integer(0, kMostBytes).value_or(0)), ++kinds;
  if (const auto v = fields.take("status"))
    content.status = static_cast<unsigned>(v->integer(200, 599).value_or(200)), ++kinds;
  if (const auto v = fields.take("latency")) {
    content.latency = v->duration().value_or(content.latency);
  }
  if (const auto v = fields.take("bandwidth"))
    content.bytes_per_second = v->integer(1, kMostBytesPerSecond).value_or(1);
  fields.finish();
  if (kinds != 1)
    entry.reject(fmt::format("found {} of path, size, status, redirect, expected one",
                             kinds == 0 ? "none" : std::to_string(kinds)));
  return content;
}

}  // namespace

void read_urls(const Value& block, Scenario& s) {
  if (!block.is_map()) return block.fail("a mapping from URL to what is found there");
  Fields fields(block);
  for (const Value& entry : fields.take_all()) {
    auto url = fakes::parse_url(entry.member_name());
    if (!url) {
      entry.reject("found no URL, expected one such as https://example.org/data/, without port");
      continue;
    }
    fakes::WebContent content = read_content(entry, s);
    std::error_code ignored;
    const bool folder = std::filesystem::is_directory(content.path, ignored);
    if (folder && !url->target.ends_with('/')) url->target += '/';
    if (!s.urls.emplace(to_string(*url), std::move(content)).second)
      entry.reject("found a second " + to_string(*url) + ", expected each URL once");
  }
  fields.finish();
}

}  // namespace sim::scenario
