// What a run may put between clients and AWS's services.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string_view>

#include "api/error.h"
#include "sim/cloud/cloud.h"
#include "sim/cloud/ids.h"
#include "sim/kernel/time.h"

namespace fakes {

// An answer with this delay does not come while anybody waits.
constexpr sim::Duration kNoAnswer = std::chrono::hours{24 * 365};

class Interference {
 public:
  virtual ~Interference() = default;

  struct Call {
    std::string_view action, caller;  // as api.call has them
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
  // Its effect has happened, and its answer is no error.
  virtual void after(const Call& call) = 0;

  struct MetadataTrouble {
    int status = 0;  // HTTP's, instead of the answer; 0: none
    sim::Duration delay{};
    bool old_credentials = false;  // the role's credentials are the previous, expired ones
  };
  virtual MetadataTrouble metadata(const sim::cloud::InstanceId& instance,
                                   std::string_view path) = 0;
};

}  // namespace fakes
