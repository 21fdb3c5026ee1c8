// Events about parameters, and the policies that act by themselves.
#include <algorithm>

#include "fakes/messaging.h"
#include "fakes/ssm/actions.h"
#include "sim/kernel/json_object.h"

namespace fakes::ssm {
namespace {

using sim::Json;
using sim::json_object;

void put_event(Backend& backend, const std::string& name, const char* detail_type, Json detail) {
  if (!backend.messaging) return;
  backend.messaging->buses.put("default", {.source = "aws.ssm",
                                           .detail_type = detail_type,
                                           .resources = {arn_of(backend, name)},
                                           .detail = std::move(detail)});
}

// The policy acts, unless the parameter was deleted or written again in the meantime.
void act(Backend& backend, const std::string& name, std::uint64_t serial, std::size_t index) {
  const StoredParameter* const stored = backend.parameters.find(name);
  if (stored == nullptr || stored->newest().serial != serial) return;
  const ParameterPolicy policy = stored->newest().policies.at(index);
  put_event(backend, name, "Parameter Store Policy Action",
            json_object({{"parameter-name", name},
                         {"parameter-type", stored->newest().type},
                         {"policy-type", policy.type},
                         {"policy-content", policy.text}}));
  if (policy.expires)
    backend.parameters.erase(name);
  else
    backend.parameters.finish_policy(name, index);
}

}  // namespace

void report_change(Backend& backend, const std::string& name, const ParameterVersion& version,
                   const char* operation, const char* exception) {
  Json detail = json_object({{"name", name}, {"type", version.type}, {"operation", operation}});
  if (!version.description.empty()) detail["description"] = version.description;
  if (version.data_type != "text") detail["dataType"] = version.data_type;
  if (exception != nullptr) detail["exception"] = exception;
  put_event(backend, name, "Parameter Store Change", std::move(detail));
}

void schedule_policies(Backend& backend, const std::string& name) {
  const ParameterVersion& newest = backend.parameters.parameter(name).newest();
  for (std::size_t i = 0; i < newest.policies.size(); ++i) {
    const auto due = due_time(newest.policies, newest.policies[i], newest.modified);
    if (!due || newest.policies[i].finished) continue;
    backend.simulation.at(
        std::max(*due, backend.simulation.now()),
        [&backend, name, serial = newest.serial, i] { act(backend, name, serial, i); });
  }
}

}  // namespace fakes::ssm
