// Converts fleets with priorities, because EC2 accepts priorities with launch templates only.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "orchestrator/context.h"
#include "orchestrator/job/job.h"

namespace spotrun {

// Whether the fleet's allocation strategy needs launch templates.
bool needs_launch_templates(const nlohmann::json& fleet);

// The fleet with a launch template in the place of each launch specification. Its pools have
// priorities as they are listed: 0 for the first zone of the first specification, 1 for the next. A
// template is named after the job and its content, so an existing template of that name is the same
// and is used. Throws Failure(kBadInput) for settings that a launch template cannot have, before
// any template is made.
nlohmann::json with_launch_templates(const Context& context, const Job& job, nlohmann::json fleet,
                                     const std::string& fleet_file);

}  // namespace spotrun
