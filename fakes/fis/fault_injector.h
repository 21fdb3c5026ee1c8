// The catalogue of faults (docs/faults.md) as experiments of AWS FIS use it. sim/faults implements
// the interface.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <variant>

#include "fakes/interference.h"
#include "sim/kernel/time.h"

namespace fakes {
struct Backend;
}

namespace fakes::fis {

// A fault that strikes at once, or later.
struct InjectedFault {
  std::string kind;  // a name of the catalogue: "pause-volume-io"
  // All arguments that the kind needs: there are no defaults.
  std::map<std::string, std::variant<bool, std::int64_t, sim::Duration, std::string>> arguments;
  std::string machine = {};  // the struck instance; empty: none
  sim::Duration after = {};  // time until the strike
  // For faults of calls: whether the fault applies to this call. Empty: always.
  std::function<bool(const Interference::Call& call)> applies = {};
};

class FaultInjector {
 public:
  virtual ~FaultInjector() = default;
  // Strikes, and returns the fault's number. Throws ApiError ValidationException if the run's
  // guests do not support the fault, and EC2's error if EC2 refuses a strike that is due at once.
  virtual std::int64_t inject(InjectedFault fault) = 0;
  // Ends the fault now, if it still lasts.
  virtual void end(std::int64_t fault) = 0;
  // Why EC2 refused to undo the fault at its end: to start a stopped instance again. Empty: it did
  // not.
  virtual std::string not_undone(std::int64_t) const { return ""; }
};

// Sets the function that returns the backend's injector. It is called at the first fault.
// Without it, actions that need a fault fail.
void set_fault_injector(Backend& backend, std::function<FaultInjector&()> injector);

}  // namespace fakes::fis
