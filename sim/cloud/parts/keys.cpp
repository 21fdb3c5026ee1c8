#include "sim/cloud/parts/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace sim::cloud {
namespace {

constexpr std::string_view kOwnKeyAlias = "alias/aws/ebs";

// "1234abcd-12ab-34cd-56ef-1234567890ab", "mrk-" and 32 hexadecimal digits of a key for several
// regions (KMS Developer Guide, "Key identifiers").
bool is_key_id(std::string_view id) {
  constexpr std::string_view kUuid = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  constexpr std::string_view kSeveralRegions = "mrk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
  const auto fits = [&](std::string_view pattern) {
    return std::ranges::equal(id, pattern, [](char found, char expected) {
      if (expected != 'x') return found == expected;
      return std::string_view("0123456789abcdef").find(found) != std::string_view::npos;
    });
  };
  return fits(kUuid) || fits(kSeveralRegions);
}

}  // namespace

std::string key_arn(const Config& config, const Streams& streams, const std::string& named) {
  if (named.starts_with("arn:")) return named;
  const std::string prefix = fmt::format("arn:aws:kms:{}:{}:", config.region, config.account_id);
  if (!named.empty() && named != kOwnKeyAlias)
    return prefix + (named.starts_with("alias/") ? "" : "key/") + named;
  Stream stream = streams.stream("kms-key", kOwnKeyAlias);
  const std::uint64_t a = stream.next(), b = stream.next();
  return fmt::format("{}key/{:08x}-{:04x}-4{:03x}-a{:03x}-{:012x}", prefix, a >> 32,
                     a >> 16 & 0xffff, a & 0xfff, b >> 48 & 0xfff, b & 0xffff'ffff'ffff);
}

bool is_usable_key(const Config& config, std::string_view arn) {
  const std::string prefix = fmt::format("arn:aws:kms:{}:", config.region);
  if (!arn.starts_with(prefix)) return false;
  const auto account_end = arn.find(':', prefix.size());
  if (account_end == arn.npos) return false;
  const std::string_view key = arn.substr(account_end + 1);
  if (key.starts_with("alias/")) return key.size() > std::string_view("alias/").size();
  return key.starts_with("key/") && is_key_id(key.substr(std::string_view("key/").size()));
}

}  // namespace sim::cloud
