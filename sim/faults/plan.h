// A fault plan: what goes wrong in a run, and when. Data only; docs/faults.md is its reference.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/kernel/time.h"
#include "sim/market/pool.h"

namespace sim::faults {

// A machine in a plan. Numbers are the order of launch: "1" is the first instance of the run, for
// whatever purpose. "operator" is the operator's machine, and empty is any machine.
using Machine = std::string;

// A time from the run's start.
struct AtTime {
  Duration after{};
  bool operator==(const AtTime&) const = default;
};

// Repeatedly, at exponentially distributed intervals with this mean, from the stream
// "fault-interval"/index in the plan.
struct Drawn {
  Duration mean{};
  bool operator==(const Drawn&) const = default;
};

// When the n-th line of the event log with these fields has been written, or some time after it.
// The fields `instance_id` and `machine` may also name a Machine.
struct OnEvent {
  std::string event;
  std::map<std::string, std::string> fields = {};
  int nth = 1;
  Duration after{};
  bool operator==(const OnEvent&) const = default;
};

// The n-th call of an AWS action by a machine: before its effect, or after the effect and before
// the answer.
struct OnCall {
  enum class Side { kBefore, kAfter };
  Side side = Side::kBefore;
  std::string action;  // empty: any
  Machine caller = {};
  int nth = 1;
  bool operator==(const OnCall&) const = default;
};

// The n-th request of an instance to its metadata service, before its answer.
struct OnMetadata {
  std::string path;  // as in the log; empty: any
  Machine instance = {};
  int nth = 1;
  bool operator==(const OnMetadata&) const = default;
};

// When a drawn lifetime of a spot instance ends, counted from its first running second. The law is
// Weibull; shape 1 is exponential. From the stream "spot-lifetime"/instance.
struct Lifetime {
  Duration mean{};
  double shape = 1;
  std::optional<market::Pool> pool = {};  // only instances of this pool
  bool operator==(const Lifetime&) const = default;
};

using When = std::variant<AtTime, Drawn, OnEvent, OnCall, OnMetadata, Lifetime>;

using Argument = std::variant<bool, std::int64_t, double, Duration, std::string, market::Pool>;

// The arguments of a fault, checked against its kind's parameters (kinds.h), with defaults.
class Arguments {
 public:
  void set(std::string name, Argument value) { values_.insert_or_assign(std::move(name), value); }
  // Null if the argument is not given and has no default.
  template <class T>
  const T* find(std::string_view name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? nullptr : std::get_if<T>(&found->second);
  }
  // For an argument that always exists.
  template <class T>
  const T& get(std::string_view name) const {
    return std::get<T>(values_.find(name)->second);
  }
  const std::map<std::string, Argument, std::less<>>& all() const { return values_; }
  bool operator==(const Arguments&) const = default;

 private:
  std::map<std::string, Argument, std::less<>> values_;
};

// The short form in which a scenario's `interruptions` state a fault.
struct ShortForm {
  std::string text;   // as in the scenario
  std::string place;  // its place for messages: "az-hop.yaml:12"
  bool operator==(const ShortForm&) const = default;
};

struct Fault {
  std::string kind;  // name of a kind in kinds()
  When when;
  Arguments arguments = {};
  double chance = 1;  // that it is part of a run, drawn from the seed
  // Set for interruptions, which the market decides. Oracles know them before, and the log has them
  // as "scenario.interruption".
  std::optional<ShortForm> interruption = {};
  bool operator==(const Fault&) const = default;
};
using Plan = std::vector<Fault>;

// The form of an entry in a scenario's `faults`, in one line: "{on: {event: …}, kind: power-cut}".
std::string to_yaml(const Fault& fault);

}  // namespace sim::faults
