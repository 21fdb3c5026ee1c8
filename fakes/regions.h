// The regions of an account. Each one has a Backend of its own, and all share IAM and S3
// (Backend::regions). The first region answers for services that it alone has.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fakes/backend.h"

namespace fakes {

struct Service;

const Backend& first_region(const Backend& backend);
Backend& first_region(Backend& backend);
// Whether the account has a second region.
bool has_further_regions(const Backend& backend);
// The backend of the region with this name. Null: the account has no such region here.
Backend* find_region(Backend& backend, std::string_view region);
// The names of all regions, the first one first.
std::vector<std::string> region_names(const Backend& backend);
// The region with this instance or volume, else the first one.
Backend& region_with(Backend& backend, const sim::cloud::InstanceId& id);
const Backend& region_with(const Backend& backend, const sim::cloud::InstanceId& id);
Backend& region_with(Backend& backend, const sim::cloud::VolumeId& id);

// The backend that answers a request which is signed for `region`: the first one for global
// services and S3, else the region's. For an unknown region `backend`, whose check_region() refuses
// the request.
Backend& region_for(Backend& backend, std::string_view service, std::string_view region);
// Throws ApiError NotImplemented for a service that only another region has.
void check_served_here(const Backend& backend, const Service& service);

}  // namespace fakes
