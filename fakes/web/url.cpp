#include "fakes/web/url.h"

#include <algorithm>
#include <cctype>

#include "base/text/lower_case.h"

namespace fakes {
namespace {

// A host name has a letter in its last label. Otherwise it is an address.
bool is_name(std::string_view host) {
  const std::string_view last = host.substr(host.rfind('.') + 1);
  return host.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_.") == host.npos &&
         last.find_first_not_of("0123456789") != last.npos && !host.starts_with('.') &&
         host.find("..") == host.npos;
}

}  // namespace

std::optional<Url> parse_url(std::string_view text) {
  constexpr std::string_view kSlashes = "://";
  const auto colon = text.find(kSlashes);
  if (colon == text.npos || text.find('#') != text.npos) return {};
  Url url{.scheme = base::lower_case(text.substr(0, colon)), .host = {}, .target = {}};
  if (url.scheme != "http" && url.scheme != "https") return {};
  text.remove_prefix(colon + kSlashes.size());
  const auto end = std::min(text.find_first_of("/?"), text.size());
  url.host = base::lower_case(text.substr(0, end));
  url.target = text.substr(end);
  if (!url.target.starts_with('/')) url.target.insert(0, "/");
  return is_name(url.host) ? std::optional(url) : std::nullopt;
}

std::string to_string(const Url& url) { return url.scheme + "://" + url.host + url.target; }

}  // namespace fakes
