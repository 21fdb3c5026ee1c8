// Makes the IDs of queues' messages, events and subscriptions. Each kind has a random stream of its
// own.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "sim/kernel/random.h"

namespace sim::messaging {

class Ids {
 public:
  explicit Ids(const Streams& streams) : streams_(streams) {}

  // A UUID, version 4.
  std::string uuid(std::string_view kind);

 private:
  Streams streams_;
  std::map<std::string, Stream, std::less<>> kinds_;
};

}  // namespace sim::messaging
