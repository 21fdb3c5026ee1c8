#include "sim/faults/kinds.h"

#include <algorithm>
#include <charconv>

namespace sim::faults {

const std::vector<const Kind*>& kinds() {
  static const std::vector<const Kind*> kAll = [] {
    std::vector<const Kind*> all;
    for (const auto file :
         {instance_faults(), market_faults(), api_faults(), metadata_faults(), storage_faults()})
      for (const Kind& kind : file) all.push_back(&kind);
    return all;
  }();
  return kAll;
}

const Kind* find_kind(std::string_view name) {
  const auto found = std::ranges::find(kinds(), name, &Kind::name);
  return found == kinds().end() ? nullptr : *found;
}

const cloud::Instance* struck_instance(const Arguments& arguments, const Strike& strike,
                                       const World& world) {
  const auto& instances = world.cloud.instances();
  if (const auto* nth = arguments.find<std::int64_t>("instance")) {
    const auto place = static_cast<std::size_t>(*nth);
    if (place > world.launched.size()) return nullptr;
    return &instances.at(world.launched[place - 1]);
  }
  const auto named = instances.find(cloud::InstanceId{strike.machine});
  if (named != instances.end()) return &named->second;
  for (auto id = world.launched.rbegin(); id != world.launched.rend(); ++id)
    if (instances.at(*id).state == cloud::InstanceState::kRunning) return &instances.at(*id);
  return nullptr;
}

}  // namespace sim::faults
