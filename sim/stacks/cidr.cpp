#include "sim/stacks/cidr.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>

namespace sim::stacks {

std::optional<std::vector<std::string>> subdivide(const std::string& block, std::size_t count,
                                                  std::size_t bits) {
  unsigned byte[4], prefix;
  int read = 0;
  const int found = std::sscanf(block.c_str(), "%3u.%3u.%3u.%3u/%2u%n", &byte[0], &byte[1],
                                &byte[2], &byte[3], &prefix, &read);
  if (found != 5 || static_cast<std::size_t>(read) != block.size() || prefix > 32) return {};
  std::uint64_t address = 0;
  for (const unsigned part : byte) {
    if (part > 255) return {};
    address = address << 8 | part;
  }
  const std::uint64_t size = std::uint64_t{1} << (32 - prefix);
  if (count < 1 || count > 256 || bits < 1 || bits > 32) return {};
  const std::uint64_t step = std::uint64_t{1} << bits;
  if (count * step > size) return {};
  address &= ~(size - 1);
  std::vector<std::string> blocks;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t at = address + i * step;
    blocks.push_back(fmt::format("{}.{}.{}.{}/{}", at >> 24, at >> 16 & 255, at >> 8 & 255,
                                 at & 255, 32 - bits));
  }
  return blocks;
}

}  // namespace sim::stacks
