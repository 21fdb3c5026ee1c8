// The IDs of requests, in which answers and SDKs' error messages name a request.
#pragma once

#include <string>
#include <utility>

#include "sim/kernel/random.h"

namespace fakes {

// Draws UUIDs, one for each request.
class RequestIds {
 public:
  explicit RequestIds(sim::Stream stream) : stream_(std::move(stream)) {}
  std::string next();

 private:
  sim::Stream stream_;
};

}  // namespace fakes
