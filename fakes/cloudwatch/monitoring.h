// The metrics and alarms of the backend's account.
#pragma once

#include <functional>
#include <string>

#include "fakes/backend.h"
#include "fakes/cloudwatch/ec2_metrics.h"
#include "sim/messaging/ids.h"
#include "sim/monitoring/alarms.h"
#include "sim/monitoring/metrics.h"

namespace fakes::cloudwatch {

using sim::cloud::ApiError;

struct Monitoring {
  explicit Monitoring(Backend& backend);

  sim::messaging::Ids ids;
  // Called when an alarm goes to the state ALARM, with its ARN. FIS sets it.
  std::function<void(const std::string& arn)> alarmed = {};
  Ec2Metrics ec2;
  sim::monitoring::Metrics metrics;
  sim::monitoring::Alarms alarms;
};

// Made at the first call, so that a run without CloudWatch is as before.
Monitoring& monitoring(Backend& backend);

// ---- alarm_actions.cpp
//
// Checks an action of an alarm on this metric. Throws ApiError: ValidationError, and
// UnsupportedOperation for actions that are not simulated.
void check_action(const Backend& backend, const sim::monitoring::Metric& metric,
                  const std::string& action);
// Performs an action of an alarm that has a new state. Throws ApiError.
void perform_action(Backend& backend, const sim::monitoring::Alarm& alarm,
                    const sim::monitoring::Alarm& before, const std::string& action);

// ---- alarm_events.cpp
//
// Puts "CloudWatch Alarm State Change" on the default bus, if the account uses EventBridge.
void put_state_event(Backend& backend, const sim::monitoring::Alarm& alarm,
                     const sim::monitoring::Alarm& before);
// The message that an SNS topic gets.
std::string notification(const Backend& backend, const sim::monitoring::Alarm& alarm,
                         const sim::monitoring::Alarm& before);

}  // namespace fakes::cloudwatch
