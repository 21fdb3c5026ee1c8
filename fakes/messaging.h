// The account's queues, topics and event buses.
#pragma once

#include "fakes/backend.h"
#include "sim/messaging/aws_events.h"
#include "sim/messaging/event_buses.h"
#include "sim/messaging/queues.h"
#include "sim/messaging/topics.h"

namespace fakes {

struct Messaging {
  explicit Messaging(Backend& backend);

  sim::messaging::Queues queues;
  sim::messaging::Topics topics;
  sim::messaging::EventBuses buses;
  sim::messaging::AwsEvents service_events;  // they go to the default bus
};

// Made at the first call, so that a run without messages is as before.
Messaging& messaging(Backend& backend);

}  // namespace fakes
