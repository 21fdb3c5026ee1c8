#include "sim/serve/address.h"

#include <algorithm>
#include <boost/beast/http/field.hpp>
#include <string_view>

#include "sim/serve/control.h"
#include "sim/serve/metadata_address.h"

namespace sim::serve {
namespace {

namespace http = boost::beast::http;

constexpr std::string_view kMetadata = "imds/";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// True for "i-" with hexadecimal digits.
bool is_instance_id(std::string_view text) {
  return text.size() > 2 && text.starts_with("i-") &&
         std::ranges::all_of(text.substr(2),
                             [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); });
}

// True for a version of the metadata service: "latest", "1.0" or "2021-07-15".
bool is_metadata_version(std::string_view text) {
  if (text == "latest" || text == "1.0") return true;
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  return std::ranges::all_of(text, [](char c) { return is_digit(c) || c == '-'; });
}

bool is_get_of(const fakes::Request& request, std::string_view path) {
  return request.method() == http::verb::get &&
         std::string_view(request.target().data(), request.target().size()) == path;
}

// True for a host of an AWS service. Its paths belong to that service: a bucket may be called
// "metrics".
bool is_aws_host(std::string_view host) {
  return host.substr(0, host.find(':')).ends_with(".amazonaws.com");
}

bool is_signed(const fakes::Request& request, std::string_view target) {
  return request.count(http::field::authorization) > 0 ||
         target.find("X-Amz-Credential=") != std::string_view::npos;
}

}  // namespace

Address address_of(const fakes::Request& request) {
  const std::string_view target(request.target().data(), request.target().size());
  if (is_get_of(request, kPagePath)) return {.to = Addressee::kPage};
  if (target.starts_with(kControlPrefix)) {
    const std::string_view below = target.substr(kControlPrefix.size());
    if (!below.starts_with(kMetadata)) return {.to = Addressee::kControl};
    const std::string_view rest = below.substr(kMetadata.size());
    const auto end = std::min(rest.find_first_of("/?"), rest.size());
    std::string path(rest.substr(end));
    if (!path.starts_with('/')) path.insert(0, "/");
    return {
        .to = Addressee::kMetadata, .instance = std::string(rest.substr(0, end)), .target = path};
  }
  if (target.starts_with("/moto-api/")) return {.to = Addressee::kControl};
  const auto host = request[http::field::host];
  const std::string_view host_name(host.data(), host.size());
  const std::string_view label = host_name.substr(0, host_name.find_first_of(".:"));
  if (is_instance_id(label))
    return {
        .to = Addressee::kMetadata, .instance = std::string(label), .target = std::string(target)};
  if (std::string address = private_address(host_name); !address.empty())
    return {.to = Addressee::kMetadata,
            .private_ip = std::move(address),
            .target = std::string(target)};
  if (is_get_of(request, kMetricsPath) && !is_signed(request, target) && !is_aws_host(host_name))
    return {.to = Addressee::kMetrics};
  if (!target.starts_with('/')) return {};
  const std::string_view first =
      target.substr(1, std::min(target.find_first_of("/?", 1), target.size()) - 1);
  if (is_metadata_version(first) && !is_signed(request, target))
    return {.to = Addressee::kMetadata, .target = std::string(target)};
  return {};
}

}  // namespace sim::serve
