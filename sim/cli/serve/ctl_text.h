// Shows the control API's answers (docs/control-api.yaml) as text for `spotsim ctl`.
#pragma once

#include <string>

#include "sim/events/event.h"

namespace sim::cli {

// All functions throw Json::exception if an answer does not have the form that the page describes.

// The time, and when the next event happens.
std::string clock_text(const Json& answer);
// For an answer about interruptions: what happens to each instance, and when.
std::string struck_text(const Json& answer);
std::string price_text(const Json& answer);
// The fault in the form of a plan, and the resources that it has struck.
std::string fault_text(const Json& answer);
std::string faults_text(const Json& answer);
std::string removed_text(const Json& answer);
std::string on_demand_text(const Json& answer);
std::string quotas_text(const Json& answer);
std::string reset_text(const Json& answer);
// One row for each instance.
std::string instances_text(const Json& answer);
// The bill so far, and a row for each instance that has existed.
std::string result_text(const Json& answer);

}  // namespace sim::cli
