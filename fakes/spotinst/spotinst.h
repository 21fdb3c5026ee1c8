// The HTTP API of Spot by NetApp (formerly Spotinst) at api.spotinst.io, as far as Elastigroups for
// AWS go. Source: the vendor's OpenAPI description (github.com/spotinst/openapi,
// api/services/elastigroup/aws): paths, members, envelopes of answers. It lists an error's members
// but few codes, so the codes are assumptions except GROUP_DOESNT_EXIST.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fakes/backend.h"

namespace fakes::spotinst {

inline constexpr std::string_view kHost = "api.spotinst.io";

// Whether a Host header names the API: "api.spotinst.io:443".
bool is_host(std::string_view host);

// The handler of all requests. `caller` is an instance's ID or "operator", for the log. Any bearer
// token that is not empty is accepted, because spotsim keeps no secrets.
Handler handler(Backend& backend, std::string caller);

// The names of requests in the log and in faults: the description's operation IDs.
std::vector<std::string_view> actions();

}  // namespace fakes::spotinst
