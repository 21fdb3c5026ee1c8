#include "sim/vpc/cidr.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <charconv>

namespace sim::vpc {

std::string text(Ipv4 address) {
  const std::uint32_t n = address.value;
  return fmt::format("{}.{}.{}.{}", n >> 24, n >> 16 & 255, n >> 8 & 255, n & 255);
}

std::optional<Ipv4> parse_ipv4(std::string_view text) {
  in_addr address{};
  if (inet_pton(AF_INET, std::string(text).c_str(), &address) != 1) return {};
  return Ipv4{ntohl(address.s_addr)};
}

std::string text(const Cidr& block) { return fmt::format("{}/{}", text(block.base), block.prefix); }

std::optional<Cidr> parse_cidr(std::string_view text) {
  const auto slash = text.find('/');
  if (slash == text.npos) return {};
  const auto address = parse_ipv4(text.substr(0, slash));
  int prefix = -1;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + slash + 1, end, prefix);
  if (!address || error != std::errc{} || stop != end || prefix < 0 || prefix > 32) return {};
  const std::uint64_t kept = ~std::uint64_t{0} << (32 - prefix);
  return Cidr{{static_cast<std::uint32_t>(address->value & kept)}, prefix};
}

}  // namespace sim::vpc
