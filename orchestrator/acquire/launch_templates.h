// Converts fleets with priorities into fleets with launch templates, because EC2 accepts priorities
// only there.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "orchestrator/context.h"
#include "orchestrator/job/job.h"

namespace spotrun {

// Whether the fleet's allocation strategy needs launch templates.
bool needs_launch_templates(const nlohmann::json& fleet);

// Returns the fleet with a launch template in place of each launch specification. Pools get
// priorities in the order of the list: 0 for the first zone of the first specification, 1 for the
// next. A template's name is made from the job and the template's content. An existing template of
// that name thus has the same content, and is used. Throws Failure(kBadInput) for settings that a
// launch template cannot have, before any template is made.
nlohmann::json with_launch_templates(const Context& context, const Job& job, nlohmann::json fleet,
                                     const std::string& fleet_file);

}  // namespace spotrun
