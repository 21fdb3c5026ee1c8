// How SNS repeats a failed delivery to an HTTP endpoint (SNS Developer Guide, "Amazon SNS message
// delivery retries").
#pragma once

#include <string>
#include <vector>

#include "sim/kernel/json_object.h"
#include "sim/kernel/time.h"

namespace sim::messaging {

// The default policy: three retries, 20 s apart.
struct DeliveryPolicy {
  int min_delay = 20, max_delay = 20;  // seconds
  int retries = 3;
  int no_delay_retries = 0, min_delay_retries = 0, max_delay_retries = 0;  // of `retries`
  std::string backoff = "linear";  // the function of the other retries
  std::string content_type = "text/plain; charset=UTF-8";
  bool overrides_disabled = false;  // a subscription's own policy has no effect
};

// Reads the attribute DeliveryPolicy of a subscription, which replaces the topic's. Both may be
// empty. Throws ApiError InvalidParameter if one of them is invalid: two that are valid alone are
// valid together.
DeliveryPolicy read_delivery_policy(const std::string& of_topic,
                                    const std::string& of_subscription);

// The delays before each retry. AWS does not publish its functions exactly, and adds a random part.
std::vector<Duration> retry_delays(const DeliveryPolicy& policy);

// The attributes EffectiveDeliveryPolicy of a topic and of a subscription.
Json shown_for_topic(const DeliveryPolicy& policy);
Json shown_for_subscription(const DeliveryPolicy& policy);

}  // namespace sim::messaging
