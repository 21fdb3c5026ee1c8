// Groups and stateful instances as the API's JSON.
#pragma once

#include <string>

#include "fakes/backend.h"
#include "sim/cloud/cloud.h"
#include "sim/elastigroup/elastigroups.h"
#include "sim/events/event.h"

namespace fakes::spotinst {

using sim::Json;

// A JSON body. Throws ApiError ValidationError for what is none, or is nested deeper than any
// group.
Json parse_body(const std::string& text);

// Reads a request's "group". Members with null count as left out. Members that the vendor has and
// spotsim does not simulate may be there as long as they say nothing (false, "", [], {}). Throws
// ApiError ValidationError, with the member's path as the detail "field".
sim::elastigroup::GroupSpec read_group(const Json& group, sim::cloud::Cloud& cloud);
// Reads {"statefulDeallocation": {…}}, the body of DELETE.
sim::elastigroup::Deallocation read_deallocation(const Json& body);
// Reads {"capacity": {…}} over what the group has.
Json read_capacity(const Json& body, const Json& group);

Json show(const sim::elastigroup::Group& group);
Json show_capacity(const sim::elastigroup::Group& group);
// The instances of a group. A replaced instance is shown until its end.
Json show_status(const sim::elastigroup::Group& group, const Backend& backend);
Json show(const sim::elastigroup::Member& member, const sim::elastigroup::Group& group);
Json show_events(const sim::elastigroup::Group& group, sim::Time since);

}  // namespace fakes::spotinst
