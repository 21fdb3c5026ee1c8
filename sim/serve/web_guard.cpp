#include "sim/serve/web_guard.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <boost/beast/http/field.hpp>

#include "base/text/lower_case.h"
#include "fakes/http/printable.h"
#include "fakes/spotinst/spotinst.h"
#include "sim/events/event.h"

namespace sim::serve {
namespace {

namespace http = boost::beast::http;

// The headers that say which page sent a request. Empty where a request lacks one.
struct Sender {
  std::string_view host, origin, fetch_site;
};

// Reads the headers in one pass: each request is looked at. The first header of a name counts.
Sender sender_of(const fakes::Request& request) {
  constexpr std::string_view kFetchSite = "Sec-Fetch-Site";
  Sender sender;
  const auto keep = [](std::string_view& kept, std::string_view value) {
    if (kept.empty()) kept = value;
  };
  for (const auto& field : request) {
    const auto name = field.name_string();
    const std::string_view value = fakes::as_view(field.value());
    if (field.name() == http::field::host)
      keep(sender.host, value);
    else if (field.name() == http::field::origin)
      keep(sender.origin, value);
    else if (name.size() == kFetchSite.size() && boost::beast::iequals(name, kFetchSite.data()))
      keep(sender.fetch_site, value);
  }
  return sender;
}

// The name in a Host header: "[::1]:5000" → "::1", "LOCALHOST.:80" → "localhost".
std::string name_of(std::string_view host) {
  if (host.starts_with('[')) return std::string(host.substr(1, host.find(']') - 1));
  std::string name = base::lower_case(host.substr(0, host.find(':')));
  if (name.ends_with('.')) name.pop_back();
  return name;
}

bool is_ip_address(const std::string& name) {
  in6_addr ignored{};
  return inet_pton(AF_INET, name.c_str(), &ignored) == 1 ||
         inet_pton(AF_INET6, name.c_str(), &ignored) == 1;
}

// True if a name matches: ".example.com" matches example.com and all names below it.
bool matches(const std::string& name, const std::string& pattern) {
  if (!pattern.starts_with('.')) return name == pattern;
  return name.ends_with(pattern) || name == pattern.substr(1);
}

bool is_loopback_name(const std::string& name) {
  in_addr v4{};
  const bool is_v4 = inet_pton(AF_INET, name.c_str(), &v4) == 1;
  return matches(name, ".localhost") || name == "::1" || (is_v4 && ntohl(v4.s_addr) >> 24 == 127);
}

// True if a page of this Origin ("http://localhost:3000") is the user's own: on this machine, at
// the service's own host, or at a host that the user named. Anyone can have a page at an IP address
// or below amazonaws.com.
bool is_own_page(std::string_view origin, std::string_view host,
                 const std::vector<std::string>& allowed) {
  const auto scheme_end = origin.find("://");
  if (scheme_end == origin.npos) return false;  // "null"
  const std::string name = name_of(origin.substr(scheme_end + 3));
  return is_loopback_name(name) || name == name_of(host) ||
         std::ranges::any_of(allowed, [&](const std::string& pattern) {
           return matches(name, base::lower_case(pattern));
         });
}

// True for a reset by a client of moto. Tests written for moto's server reset it without the
// control header. These clients are no browsers: a browser sends Origin or Sec-Fetch-Site with each
// POST.
bool is_of_moto_client(const fakes::Request& request) {
  const std::string_view target(request.target().data(), request.target().size());
  return target.starts_with("/moto-api/") && request.count("Origin") == 0 &&
         request.count("Sec-Fetch-Site") == 0;
}

// True for a request that opens the live page. A link on any site may open the page in a tab of its
// own. A frame of another site may not.
bool opens_page(const fakes::Request& request, Addressee addressee) {
  return addressee == Addressee::kPage && request["Sec-Fetch-Dest"] == "document";
}

std::string obstacle(const fakes::Request& request, Addressee addressee,
                     const std::vector<std::string>& allowed) {
  const auto shown = [](std::string_view text) {
    return fakes::percent_encode_unprintable(std::string(text));
  };
  const auto [host, origin, fetch_site] = sender_of(request);
  if (!host.empty() && !is_own_host(host, allowed))
    return fmt::format(
        "Host: found {}, expected localhost, an IP address or a name below amazonaws.com "
        "(spotsim serve --allow-host {} allows this one)",
        shown(host), shown(name_of(host)));
  if (!origin.empty() && !is_own_page(origin, host, allowed))
    return fmt::format("Origin: found {}, expected no web page of another site", shown(origin));
  if (fetch_site == "cross-site" && !opens_page(request, addressee))
    return "Sec-Fetch-Site: found cross-site, expected no web page of another site";
  if (addressee == Addressee::kControl && request.count(kControlHeader) == 0 &&
      !is_of_moto_client(request))
    return fmt::format("{}: found no such header, expected it with any value (docs/serve.md)",
                       kControlHeader);
  return "";
}

}  // namespace

bool is_own_host(std::string_view host, const std::vector<std::string>& allowed) {
  const std::string name = name_of(host);
  if (is_ip_address(name) || matches(name, ".localhost") || matches(name, ".amazonaws.com") ||
      name == fakes::spotinst::kHost)
    return true;
  return std::ranges::any_of(allowed, [&](const std::string& pattern) {
    return matches(name, base::lower_case(pattern));
  });
}

std::optional<fakes::Response> refuse_web_page(const fakes::Request& request, Addressee addressee,
                                               const std::vector<std::string>& allowed) {
  const std::string why = obstacle(request, addressee, allowed);
  if (why.empty()) return {};
  fakes::Response response;
  response.result(http::status::forbidden);
  response.set(http::field::content_type, "application/json");
  response.body() = Json{{"error", why}}.dump() + "\n";
  return response;
}

}  // namespace sim::serve
