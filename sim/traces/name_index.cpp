#include "sim/traces/name_index.h"

#include <xxhash.h>

#include <limits>

#include "sim/kernel/check.h"

namespace sim::traces {

std::size_t NameIndex::number_of(std::string_view name) {
  if (2 * (names_.size() + 1) > slots_.size()) grow();
  const std::uint64_t hash = XXH3_64bits(name.data(), name.size());
  std::size_t slot = hash & (slots_.size() - 1);
  const auto tag = static_cast<std::uint32_t>(hash >> 32);
  for (; slots_[slot].number != 0; slot = (slot + 1) & (slots_.size() - 1)) {
    const Slot& there = slots_[slot];
    if (there.tag == tag && names_[there.number - 1].text == name) return there.number - 1;
  }
  SIM_CHECK(names_.size() < std::numeric_limits<std::uint32_t>::max());
  names_.push_back({std::string(name), hash});
  slots_[slot] = {static_cast<std::uint32_t>(names_.size()), tag};
  return names_.size() - 1;
}

void NameIndex::grow() {
  slots_.assign(slots_.empty() ? 16 : 2 * slots_.size(), Slot{});
  for (std::size_t i = 0; i < names_.size(); ++i) {
    std::size_t slot = names_[i].hash & (slots_.size() - 1);
    while (slots_[slot].number != 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = {static_cast<std::uint32_t>(i + 1),
                    static_cast<std::uint32_t>(names_[i].hash >> 32)};
  }
}

}  // namespace sim::traces
