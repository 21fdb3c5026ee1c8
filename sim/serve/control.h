// The control API (docs/control-api.yaml), by which tests change the served cloud.
#pragma once

#include <optional>
#include <string>

#include "fakes/http/http.h"
#include "sim/events/event.h"
#include "sim/serve/served_cloud.h"

namespace sim::serve {

// All paths of the API begin with it.
inline constexpr std::string_view kControlPrefix = "/_spotsim/";
// The paths of the live page and of the metrics. Both are outside of the API: a GET needs no header
// and changes nothing.
inline constexpr std::string_view kPagePath = "/_spotsim/ui", kMetricsPath = "/metrics";

struct ControlAnswer {
  fakes::Response response;
  bool reset = false;  // the cloud must be rebuilt
};

// True for a request that changes nothing. The log does not have it.
bool only_looks(const fakes::Request& request);

// An instance as GET /_spotsim/instances has it.
Json instance_row(const cloud::Instance& instance);

// Answers a request for a path below the prefix, or POST /moto-api/reset. What is no such call, or
// asks for what cannot be, is answered 4xx with {"error": …}. All but looks are logged as
// "control".
ControlAnswer control(ServedCloud& served, const fakes::Request& request);

}  // namespace sim::serve
