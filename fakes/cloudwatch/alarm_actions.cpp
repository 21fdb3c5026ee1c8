// What an alarm does when it has a new state: it changes an instance, or sends a message
// (CloudWatch User Guide, "Alarm actions").
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "fakes/cloudwatch/monitoring.h"
#include "fakes/messaging.h"
#include "fakes/region_names.h"

namespace fakes::cloudwatch {
namespace {

using sim::cloud::Cloud;
using sim::cloud::InstanceId;
using sim::monitoring::Alarm;
using sim::monitoring::Metric;
using Instances = std::vector<InstanceId>;

// An action on the instance that the metric's dimension InstanceId names. Its ARN is
// "arn:aws:automate:REGION:ec2:stop", or with a role
// "arn:aws:swf:REGION:ACCOUNT:action/actions/AWS_EC2.InstanceId.Stop/1.0".
struct InstanceAction {
  std::string_view name, role_name;
  void (*perform)(Cloud& cloud, const Instances& instances);  // null: it is not simulated
};

constexpr InstanceAction kInstanceActions[] = {
    {"stop", "Stop", [](Cloud& cloud, const Instances& all) { cloud.stop_instances(all); }},
    {"terminate", "Terminate",
     [](Cloud& cloud, const Instances& all) { cloud.terminate_instances(all); }},
    {"reboot", "Reboot", [](Cloud& cloud, const Instances& all) { cloud.reboot_instances(all); }},
    {"recover", "Recover", nullptr}};

// Null for other actions.
const InstanceAction* instance_action(const Backend& backend, const std::string& arn) {
  const auto& config = backend.cloud.config();
  const auto* const found = std::ranges::find_if(kInstanceActions, [&](const InstanceAction& one) {
    return arn == fmt::format("arn:aws:automate:{}:ec2:{}", config.region, one.name) ||
           arn == fmt::format("arn:aws:swf:{}:{}:action/actions/AWS_EC2.InstanceId.{}/1.0",
                              config.region, config.account_id, one.role_name);
  });
  return found == std::end(kInstanceActions) ? nullptr : found;
}

bool is_topic(const Backend& backend, const std::string& arn) {
  const auto& config = backend.cloud.config();
  return arn.starts_with(fmt::format("arn:aws:sns:{}:{}:", config.region, config.account_id));
}

ApiError unsupported(const std::string& action) {
  return {"UnsupportedOperation",
          fmt::format("The alarm action {} is not part of this simulated AWS. It has the EC2 "
                      "actions stop, terminate and reboot, and topics of SNS.",
                      action)};
}

}  // namespace

void check_action(const Backend& backend, const Metric& metric, const std::string& action) {
  if (!action.starts_with("arn:aws:"))
    throw ApiError("ValidationError", fmt::format("Invalid arn syntax: {}", action));
  if (is_topic(backend, action)) return;
  const InstanceAction* const found = instance_action(backend, action);
  if (found == nullptr || found->perform == nullptr) throw unsupported(action);
  if (!metric.dimensions.contains("InstanceId"))
    throw ApiError(
        "ValidationError",
        fmt::format("The EC2 action {} needs a metric with the dimension InstanceId.", action));
}

void perform_action(Backend& backend, const Alarm& alarm, const Alarm& before,
                    const std::string& action) {
  if (const InstanceAction* const found = instance_action(backend, action)) {
    found->perform(backend.cloud, {InstanceId{alarm.settings.metric.dimensions.at("InstanceId")}});
    return;
  }
  messaging(backend).topics.publish(
      action, {.message = notification(backend, alarm, before),
               .subject = fmt::format("{}: \"{}\" in {}", name(alarm.state), alarm.settings.name,
                                      region_name(backend.cloud.config().region))});
}

}  // namespace fakes::cloudwatch
