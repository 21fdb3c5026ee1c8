// Selects the instances of an experiment's target (AWS FIS User Guide, "Targets for AWS FIS").
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "fakes/fis/experiments.h"

namespace fakes::fis {
namespace {

using api::fis::ExperimentTemplateTarget;
using sim::cloud::Instance;
using sim::cloud::InstanceId;

// The path of a filter, and the instance's values there.
struct FilterPath {
  std::string_view path;
  std::string (*value)(const Instance& instance);
};
constexpr FilterPath kPaths[] = {
    {"InstanceId", [](const Instance& i) { return i.id.value; }},
    {"InstanceType", [](const Instance& i) { return i.spec.instance_type; }},
    {"ImageId", [](const Instance& i) { return i.spec.image_id; }},
    {"KeyName", [](const Instance& i) { return i.spec.key_name; }},
    {"Placement.AvailabilityZone", [](const Instance& i) { return i.spec.availability_zone; }},
    {"PrivateIpAddress", [](const Instance& i) { return i.private_ip; }},
    {"State.Name", [](const Instance& i) { return std::string(name(i.state)); }},
    {"SubnetId", [](const Instance& i) { return i.spec.subnet_id; }}};

bool passes(const api::fis::ExperimentTemplateTargetFilter& filter, const Instance& instance) {
  const auto path = std::ranges::find(kPaths, filter.path.value(), &FilterPath::path);
  if (path == std::end(kPaths))
    throw ApiError(
        "ValidationException",
        fmt::format("The filter path {} is not part of this simulated AWS.", *filter.path));
  return std::ranges::find(filter.values, path->value(instance)) != filter.values.end();
}

bool is_meant(const Experiments& all, const ExperimentTemplateTarget& target,
              const Instance& instance) {
  const auto& config = all.backend.cloud.config();
  const bool spot_only = target.resource_type == "aws:ec2:spot-instance";
  if (spot_only && instance.lifecycle != sim::cloud::Lifecycle::kSpot) return false;
  if (instance.state != sim::cloud::InstanceState::kRunning) return false;
  if (!all.backend.cloud.shows(instance)) return false;
  const std::string arn = fmt::format("arn:aws:ec2:{}:{}:instance/{}", config.region,
                                      config.account_id, instance.id.value);
  const auto& arns = target.resource_arns;
  if (!arns.empty() && std::ranges::find(arns, arn) == arns.end()) return false;
  for (const auto& [key, value] : target.resource_tags) {
    const auto tag = instance.tags.find(key);
    if (tag == instance.tags.end() || tag->second != value) return false;
  }
  return std::ranges::all_of(target.filters,
                             [&](const auto& filter) { return passes(filter, instance); });
}

// The number of selected instances: "ALL", "COUNT(2)", or "PERCENT(50)", which is rounded down.
std::size_t selected(const std::string& mode, std::size_t count) {
  unsigned number = 0;
  int read = 0;
  if (mode == "ALL") return count;
  if (std::sscanf(mode.c_str(), "COUNT(%5u)%n", &number, &read) == 1 &&
      static_cast<std::size_t>(read) == mode.size() && number > 0)
    return std::min<std::size_t>(number, count);
  read = 0;
  if (std::sscanf(mode.c_str(), "PERCENT(%3u)%n", &number, &read) == 1 &&
      static_cast<std::size_t>(read) == mode.size() && number > 0 && number <= 100)
    return count * number / 100;
  throw ApiError("ValidationException", fmt::format("Selection mode: found {}, expected ALL, "
                                                    "COUNT(n) or PERCENT(n)",
                                                    mode));
}

}  // namespace

std::vector<InstanceId> resolve(Experiments& all, const ExperimentTemplateTarget& target) {
  std::vector<InstanceId> meant;
  for (const auto& [id, instance] : all.backend.cloud.instances())
    if (is_meant(all, target, instance)) meant.push_back(id);
  const std::size_t count = selected(target.selection_mode.value(), meant.size());
  // Shuffles the first `count` instances: a random selection.
  for (std::size_t i = 0; i < count; ++i)
    std::swap(meant[i], meant[i + all.draws.below(meant.size() - i)]);
  meant.resize(count);
  std::ranges::sort(meant);
  return meant;
}

}  // namespace fakes::fis
