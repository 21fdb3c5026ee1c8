#include "sim/traces/name_index.h"

#include <xxhash.h>

#include <limits>

#include "sim/kernel/check.h"

namespace sim::market {

std::size_t NameIndex::number_of(std::string_view name) {
  if (2 * (names_.size() + 1) > slots_.size()) grow();
  const std::uint64_t hash = XXH3_64bits(name.data(), name.size());
  std::size_t slot = hash & (slots_.size() - 1);
  for (; slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1)) {
    const Name& there = names_[slots_[slot] - 1];
    if (there.hash == hash && there.text == name) return slots_[slot] - 1;
  }
  SIM_CHECK(names_.size() < std::numeric_limits<std::uint32_t>::max());
  names_.push_back({std::string(name), hash});
  slots_[slot] = static_cast<std::uint32_t>(names_.size());
  return names_.size() - 1;
}

void NameIndex::grow() {
  slots_.assign(slots_.empty() ? 16 : 2 * slots_.size(), 0);
  for (std::size_t i = 0; i < names_.size(); ++i) {
    std::size_t slot = names_[i].hash & (slots_.size() - 1);
    while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = static_cast<std::uint32_t>(i + 1);
  }
}

}  // namespace sim::market
