// The interface that carries requests to AWS's services: over HTTP (http_transport.h), or as
// structs if both sides are in one process, as with the simulator's fakes.
#pragma once

#include <memory>
#include <string>

#include "api/error.h"
#include "api/table.h"
#include "client/http.h"

namespace spotrun::aws {

// One attempt of an action. The referenced objects must outlive the call.
struct Call {
  const api::Service& service;
  const api::Operation& operation;
  const void* request;  // an object of the operation's input
  const std::string& region;
  const client::AwsCredentials& credentials;
};

struct Answer {
  std::shared_ptr<const void> response;  // an object of the operation's output; null: refused
  api::Error error = {};                 // the reason; status 0: no valid answer
};

class Transport {
 public:
  virtual ~Transport() = default;
  // Throws TransportError when there is no answer.
  virtual Answer send(const Call& call) = 0;
};

}  // namespace spotrun::aws
