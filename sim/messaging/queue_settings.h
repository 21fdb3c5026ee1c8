// Reads and checks the attributes of a queue (SQS API reference, SetQueueAttributes).
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "sim/messaging/queue.h"

namespace sim::messaging {

// The longest policy of a queue (SQS Developer Guide, "Amazon SQS policy quotas").
inline constexpr std::size_t kMostPolicyBytes = 8192;

// Applies attributes to settings. Throws ApiError InvalidAttributeValue and InvalidAttributeName,
// and InvalidParameterValue for a redrive policy.
// `fifo_name`: the queue's name ends with ".fifo".
void apply(const std::map<std::string, std::string>& attributes, bool fifo_name,
           QueueSettings& settings);

// All attributes that a client can set, with defaults, as GetQueueAttributes shows them.
std::map<std::string, std::string> shown(const QueueSettings& settings);

}  // namespace sim::messaging
