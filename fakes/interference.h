// Interferes with calls between clients and AWS's services (errors, delays and lost answers), and
// with the network of instances.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/error.h"
#include "fakes/http/no_answer.h"
#include "sim/cloud/cloud.h"
#include "sim/cloud/ids.h"
#include "sim/kernel/time.h"

namespace api {
struct Operation;
}
namespace sim::iam {
struct Caller;
}

namespace fakes {

// The interface through which faults change how the fakes answer. The fakes call it around each
// call; sim/faults implements it.
class Interference {
 public:
  virtual ~Interference() = default;

  struct Call {
    std::string_view action, caller;  // as api.call has them
    // What only some faults ask for. Null: unknown.
    const sim::iam::Caller* identity = nullptr;  // where IAM decides
    const api::Operation* operation = nullptr;
    const void* request = nullptr;  // the operation's struct
  };
  struct Trouble {
    std::optional<api::Error> error = {};  // instead of the answer
    bool effect = true;                    // false: the request has no effect
    sim::Duration delay{};                 // added to the answer's usual delay
    // The state that a Describe call shows instead of the present one; null: the present.
    std::shared_ptr<const sim::cloud::Cloud::Records> past = {};
  };
  // Called for each call.
  virtual Trouble before(const Call& call) = 0;
  // Called if the call's effect has happened and its answer is not an error.
  virtual void after(const Call& call) = 0;

  struct MetadataTrouble {
    int status = 0;  // HTTP's status, instead of the answer; 0: no trouble
    sim::Duration delay{};
    bool old_credentials = false;  // the role's credentials are the previous, expired ones
  };
  virtual MetadataTrouble metadata(const sim::cloud::InstanceId& instance,
                                   std::string_view path) = 0;

  // Why packets between an instance and another one are lost now. Empty: they arrive. An empty
  // `to` is the internet without AWS.
  virtual std::string obstacle(const sim::cloud::InstanceId& from,
                               const sim::cloud::InstanceId& to) = 0;
};

}  // namespace fakes
