// IPv4 addresses and blocks of them, as numbers.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sim::vpc {

struct Ipv4 {
  std::uint32_t value = 0;  // in the host's byte order
  auto operator<=>(const Ipv4&) const = default;
};
std::string text(Ipv4 address);  // "172.31.0.4"
std::optional<Ipv4> parse_ipv4(std::string_view text);

struct Cidr {
  Ipv4 base;
  int prefix = 0;
  auto operator<=>(const Cidr&) const = default;

  std::uint64_t size() const { return std::uint64_t{1} << (32 - prefix); }
  Ipv4 last() const { return {static_cast<std::uint32_t>(base.value + size() - 1)}; }
  bool contains(Ipv4 address) const { return base <= address && address <= last(); }
  bool contains(const Cidr& other) const { return prefix <= other.prefix && contains(other.base); }
  bool overlaps(const Cidr& other) const { return contains(other.base) || other.contains(base); }
};
std::string text(const Cidr& block);  // "10.0.0.0/16"
// Clears the bits after the prefix, as EC2 does: "10.0.0.7/16" is 10.0.0.0/16.
std::optional<Cidr> parse_cidr(std::string_view text);

}  // namespace sim::vpc
