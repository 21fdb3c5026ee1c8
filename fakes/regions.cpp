#include "fakes/regions.h"

#include <fmt/format.h>

#include <algorithm>

#include "fakes/front.h"

namespace fakes {
namespace {

using sim::cloud::ApiError;

// Training jobs have their containers in the first region.
bool is_of_first_only(const Service& service) { return &service == &sagemaker_service(); }

const std::string& name_of(const Backend& backend) { return backend.cloud.config().region; }

// The first region with something that `has` finds, else the first one.
template <class Has>
Backend& region_that(Backend& backend, Has has) {
  const auto found =
      std::ranges::find_if(backend.regions, [&](Backend* each) { return has(each->cloud); });
  return found == backend.regions.end() ? first_region(backend) : **found;
}

}  // namespace

Backend& first_region(Backend& backend) {
  return backend.regions.empty() ? backend : *backend.regions.front();
}
const Backend& first_region(const Backend& backend) {
  return backend.regions.empty() ? backend : *backend.regions.front();
}

bool has_further_regions(const Backend& backend) { return backend.regions.size() > 1; }

Backend* find_region(Backend& backend, std::string_view region) {
  if (name_of(backend) == region) return &backend;
  const auto found = std::ranges::find_if(
      backend.regions, [&](const Backend* each) { return name_of(*each) == region; });
  return found == backend.regions.end() ? nullptr : *found;
}

std::vector<std::string> region_names(const Backend& backend) {
  if (backend.regions.empty()) return {name_of(backend)};
  std::vector<std::string> names;
  for (const Backend* each : backend.regions) names.push_back(name_of(*each));
  return names;
}

Backend& region_with(Backend& backend, const sim::cloud::InstanceId& id) {
  return region_that(backend, [&](auto& cloud) { return cloud.instances().contains(id); });
}
const Backend& region_with(const Backend& backend, const sim::cloud::InstanceId& id) {
  for (const Backend* each : backend.regions)
    if (each->cloud.instances().contains(id)) return *each;
  return first_region(backend);
}
Backend& region_with(Backend& backend, const sim::cloud::VolumeId& id) {
  return region_that(backend, [&](auto& cloud) { return cloud.volumes().contains(id); });
}

Backend& region_for(Backend& backend, std::string_view service, std::string_view region) {
  if (!has_further_regions(backend)) return backend;
  if (is_global(service) || service == s3_service().model.name) return first_region(backend);
  Backend* const there = find_region(backend, region);
  return there == nullptr ? backend : *there;
}

void check_served_here(const Backend& backend, const Service& service) {
  const Backend& first = first_region(backend);
  if (&first == &backend || !is_of_first_only(service)) return;
  throw ApiError("NotImplemented",
                 fmt::format("This simulated AWS has the service '{}' in {} only.",
                             service.model.name, name_of(first)),
                 501);
}

}  // namespace fakes
