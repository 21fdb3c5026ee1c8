// URLs of the internet, and the content that a scenario gives them.
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
// Parses a URL such as "https://example.org/a?b". Returns empty for an invalid or unsupported one:
// another scheme, a port, a user, a fragment, or an address instead of a name.
std::optional<Url> parse_url(std::string_view text);
std::string to_string(const Url& url);

// The content at a URL. One of the first four members is set.
struct WebContent {
  std::filesystem::path path;         // a file, or a folder for all paths below the URL
  std::optional<std::uint64_t> size;  // number of zero bytes
  unsigned status = 0;                // a status without content
  std::string redirect;               // the URL of a "302 Found"
  sim::Duration latency = std::chrono::milliseconds{100};  // until the answer begins
  std::int64_t bytes_per_second = 50'000'000;              // of each answer
};
// By URL. A URL that ends with a slash also covers all paths below it, for folders, statuses and
// redirects.
using WebContents = std::map<std::string, WebContent>;

}  // namespace fakes
