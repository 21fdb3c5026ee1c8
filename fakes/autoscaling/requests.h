// Functions that several actions of Auto Scaling use to read requests.
#pragma once

#include <string>
#include <vector>

#include "api/autoscaling.h"
#include "fakes/action.h"
#include "fakes/ec2/page.h"
#include "sim/autoscaling/groups.h"

namespace fakes::autoscaling {

namespace aws = api::autoscaling;
namespace model = sim::autoscaling;
using sim::cloud::ApiError;

inline constexpr int kMostCapacity = 1'000'000;  // of a group; AWS has no such limit

ApiError validation_error(const std::string& message);
api::Timestamp timestamp(sim::Time time);
sim::Time time(api::Timestamp time);
// Throws ValidationError for a given number outside [low, high].
int whole(const api::Opt<std::int64_t>& value, const char* name, int otherwise, int low, int high);
std::vector<sim::cloud::InstanceId> ids(const api::List<std::string>& texts);

// Calls `read`, and converts its errors with EC2's codes into ValidationError.
template <class Read>
auto as_validation(Read&& read) {
  try {
    return read();
  } catch (const ApiError& error) {
    if (error.code() == "InvalidNextToken") throw;
    throw validation_error(error.what());
  }
}

// Keeps the requested page and sets the token of the next one. MaxRecords is 50 by default and 100
// at most.
template <class Request, class List>
api::Opt<std::string> cut_page(const Request& request, std::string_view of, List& items) {
  struct {
    api::Opt<std::int64_t> max_results;
    api::Opt<std::string> next_token;
  } const asked{request.max_records, request.next_token};
  return as_validation([&] {
    return ec2::Page(asked, {.of = of, .low = 1, .high = 100, .most = 50, .cut_down = true})
        .cut(items);
  });
}

// A group's launch configuration or launch template. Throws ValidationError if it does not exist or
// cannot be launched.
model::LaunchSource configuration_source(const Call& call, const std::string& name);
model::LaunchSource template_source(const Call& call,
                                    const aws::LaunchTemplateSpecification& named);
aws::LaunchTemplateSpecification shown_template(const model::LaunchSource& source);

// ---- mixed.cpp
model::MixedPolicy read_policy(const Call& call, const aws::MixedInstancesPolicy& asked);
// A group's policy with the members of `change` replaced.
aws::MixedInstancesPolicy merged_policy(const aws::MixedInstancesPolicy& shown,
                                        const aws::MixedInstancesPolicy& change);

// ---- launch_configurations.cpp
// An instance as its own launch configuration. Throws ValidationError.
void copy_instance(Call& call, const std::string& name, const std::string& instance);

// ---- groups.cpp
// The processes that can be suspended, in order of their names.
const std::vector<std::string>& process_types();

// ---- hooks.cpp
model::Hook read_hook(const aws::LifecycleHookSpecification& asked);

// ---- describe.cpp
aws::Activity shown(Call& call, const model::Activity& activity);

// ---- tags.cpp
//
// Throws ValidationError if the resource is not a group.
const std::string& check_tag(const aws::Tag& tag, const std::string& group);
aws::TagDescription shown_tag(const std::string& group, const std::string& key,
                              const model::GroupTag& tag);

}  // namespace fakes::autoscaling
