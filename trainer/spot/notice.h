// What a trainer is told of its end, and how instance metadata says it.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace spottrain {

// Why to stop training, and until when there is time.
struct Notice {
  std::string reason;  // "SIGTERM", "stop file", "spot/instance-action: terminate"
  std::optional<std::chrono::nanoseconds> deadline;  // on CLOCK_MONOTONIC
};

// A spot instance-action document.
struct InstanceAction {
  std::string action;  // "terminate", "stop" or "hibernate"
  std::optional<std::chrono::sys_seconds> time;
};

// Reads {"action": "terminate", "time": "2017-09-18T08:22:00Z"}; empty for anything else, an error
// page among them. A time that cannot be read is no time.
// https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/spot-instance-termination-notices.html
std::optional<InstanceAction> parse_instance_action(std::string_view body);

// True for {"noticeTime": "2020-11-05T08:22:00Z"}.
// https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/rebalance-recommendations.html
bool is_rebalance_recommendation(std::string_view body);

// Reads "2017-09-18T08:22:00Z", with or without a fraction of the second, which is dropped.
std::optional<std::chrono::sys_seconds> parse_utc(std::string_view text);

}  // namespace spottrain
