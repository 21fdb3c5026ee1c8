// The notices that a spot instance gets through instance metadata before EC2 interrupts it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/time/iso_time.h"

namespace base {

// The document at spot/instance-action.
struct InstanceAction {
  std::string action;  // "terminate", "stop" or "hibernate"
  UtcTime time;        // when it will happen, approximately
};

// Reads {"action": "terminate", "time": "2017-09-18T08:22:00Z"}. AWS documents three actions and
// always gives the time. A document with another action or without a time is not a notice, and the
// result is empty. Otherwise an error page or a captive portal would make a trainer save and stop.
// https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/spot-instance-termination-notices.html
std::optional<InstanceAction> parse_instance_action(std::string_view body);

// True for {"noticeTime": "2020-11-05T08:22:00Z"}, at events/recommendations/rebalance.
// https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/rebalance-recommendations.html
bool is_rebalance_recommendation(std::string_view body);

}  // namespace base
