// The account's queues.
#pragma once

#include "fakes/backend.h"
#include "sim/messaging/queues.h"

namespace fakes {

struct Messaging {
  explicit Messaging(Backend& backend);

  sim::messaging::Queues queues;
};

// Made at the first call, so that a run without messages is as before.
Messaging& messaging(Backend& backend);

}  // namespace fakes
