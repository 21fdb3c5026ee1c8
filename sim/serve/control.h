// The control API (docs/control-api.yaml), by which tests change the served cloud.
#pragma once

#include <optional>
#include <string>

#include "fakes/http/http.h"
#include "sim/events/event.h"
#include "sim/serve/served_cloud.h"

namespace sim::serve {

// The prefix of all paths of the API.
inline constexpr std::string_view kControlPrefix = "/_spotsim/";
// The paths of the live page and of the metrics. Both are outside of the API: a GET needs no header
// and changes nothing.
inline constexpr std::string_view kPagePath = "/_spotsim/ui", kMetricsPath = "/metrics";

struct ControlAnswer {
  fakes::Response response;
  bool reset = false;  // the cloud must be rebuilt, and the answer completed
};

// True for a request that changes nothing. Such requests are not logged.
bool only_looks(const fakes::Request& request);

// An instance in the form of GET /_spotsim/instances.
Json instance_row(const cloud::Instance& instance);

// Answers a request for a path below the prefix, or POST /moto-api/reset. An unknown call or an
// impossible request gets a status 4xx with {"error": …}. All calls that change something are
// logged as "control".
ControlAnswer control(ServedCloud& served, const fakes::Request& request);

// Adds the time of the new cloud to the answer of a reset. That of moto's reset has none.
void complete_reset(const fakes::Request& request, Time now, fakes::Response& response);

}  // namespace sim::serve
