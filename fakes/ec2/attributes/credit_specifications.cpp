// DescribeInstanceCreditSpecifications. The option is only shown: instances do not throttle here.
#include <algorithm>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/filters.h"
#include "fakes/ec2/instances.h"
#include "fakes/ec2/launch.h"
#include "fakes/ec2/page.h"
#include "fakes/ec2/requests.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::Instance;
using sim::cloud::InstanceState;
using Values = std::vector<std::string>;

// EC2 User Guide, "Unlimited mode for burstable performance instances": T2 launches as standard.
std::string credits_of(const Instance& instance) {
  if (!instance.spec.cpu_credits.empty()) return instance.spec.cpu_credits;
  return instance.spec.instance_type.starts_with("t2.") ? "standard" : "unlimited";
}

constexpr FilterRow<Instance> kCreditFilters[] = {
    {"instance-id", [](const Instance& i, Backend&) { return Values{i.id.value}; }},
};

}  // namespace

// Without instance IDs, the answer has the instances with the option unlimited (EC2 API reference).
aws::DescribeInstanceCreditSpecificationsResult describe_instance_credit_specifications(
    Call& call, const aws::DescribeInstanceCreditSpecificationsRequest& request) {
  const Filters<Instance> filters(request.filters, kCreditFilters);
  const Page page(request, {.of = "credit specifications", .low = 5, .high = 1000});
  page.refuse_with(request.instance_ids, "instanceIds");
  std::vector<const Instance*> found;
  if (request.instance_ids.empty()) {
    for (const auto& [id, instance] : call.cloud.instances())
      if (call.cloud.shows(instance) && instance.state != InstanceState::kTerminated &&
          credits_of(instance) == "unlimited")
        found.push_back(&instance);
  } else {
    found = named_instances(call, request.instance_ids);
  }
  std::erase_if(found, [&](const Instance* instance) {
    return !has_credits(call, instance->spec.instance_type) ||
           !filters.match(*instance, call.backend);
  });
  aws::DescribeInstanceCreditSpecificationsResult response{.next_token = page.cut(found)};
  response.instance_credit_specifications.give();
  for (const Instance* instance : found)
    response.instance_credit_specifications.push_back(
        {.cpu_credits = credits_of(*instance), .instance_id = instance->id.value});
  return response;
}

}  // namespace fakes::ec2
