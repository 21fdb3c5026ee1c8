// URLs of the internet, and what a scenario says is there.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "sim/kernel/time.h"

namespace fakes {

struct Url {
  std::string scheme;  // "http" or "https"
  std::string host;    // in lower case
  std::string target;  // path and query, at least "/"
};
// "https://example.org/a?b"; empty where it is none: another scheme, a port, a user, a fragment, an
// address in place of a name.
std::optional<Url> parse_url(std::string_view text);
std::string to_string(const Url& url);

// What is found at a URL; one of the first four is set.
struct WebContent {
  std::filesystem::path path;         // a file, or a folder with what is below the URL
  std::optional<std::uint64_t> size;  // so many zero bytes
  unsigned status = 0;                // and no content
  std::string redirect;               // the URL of a "302 Found"
  sim::Duration latency = std::chrono::milliseconds{100};  // until the answer begins
  std::int64_t bytes_per_second = 50'000'000;              // of each answer
};
// By URL. One that ends with a slash is also what is below it, for folders, statuses and redirects.
using WebContents = std::map<std::string, WebContent>;

}  // namespace fakes
