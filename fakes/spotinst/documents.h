// Converts groups and stateful instances from and to the API's JSON.
#pragma once

#include <string>

#include "fakes/backend.h"
#include "sim/cloud/cloud.h"
#include "sim/elastigroup/elastigroups.h"
#include "sim/events/event.h"

namespace fakes::spotinst {

using sim::Json;

// Parses a JSON body. Throws ApiError ValidationError if it is not JSON, or nested deeper than any
// group.
Json parse_body(const std::string& text);

// Reads a request's "group". A null member counts as missing. Members that spotsim does not
// simulate may be present if they request nothing (false, "", [], {}). Throws ApiError
// ValidationError, with the member's path as the detail "field".
sim::elastigroup::GroupSpec read_group(const Json& group, sim::cloud::Cloud& cloud);
// Reads {"statefulDeallocation": {…}}, the body of DELETE.
sim::elastigroup::Deallocation read_deallocation(const Json& body);
// Reads {"capacity": {…}} as changes of the group's capacity.
Json read_capacity(const Json& body, const Json& group);

Json show(const sim::elastigroup::Group& group);
Json show_capacity(const sim::elastigroup::Group& group);
// The instances of a group. A replaced instance is shown until its end.
Json show_status(const sim::elastigroup::Group& group, const Backend& backend);
Json show(const sim::elastigroup::Member& member, const sim::elastigroup::Group& group);
Json show_events(const sim::elastigroup::Group& group, sim::Time since);

}  // namespace fakes::spotinst
