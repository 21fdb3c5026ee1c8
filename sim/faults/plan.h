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

// Machines are named by the order of their launch: "1" is the first instance of the run, whatever
// it is rented for; "operator" is the machine of the operator's script; empty is any.
using Machine = std::string;

// From the run's start.
struct AtTime {
  Duration after{};
  bool operator==(const AtTime&) const = default;
};

// Again and again, at exponentially distributed intervals with this mean, from the stream
// "fault-interval"/place in the plan.
struct Drawn {
  Duration mean{};
  bool operator==(const Drawn&) const = default;
};

// When the n-th line of the event log that has these fields has been written (events.jsonl shows
// what there is to name), or some time after it. Of the fields `instance_id` and `machine` may name
// a Machine, too.
struct OnEvent {
  std::string event;
  std::map<std::string, std::string> fields = {};
  int nth = 1;
  Duration after{};
  bool operator==(const OnEvent&) const = default;
};

// The n-th call of an AWS action by a machine, before its effect or just after it: its answer is
// not there yet.
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
  std::string path;  // as the log has it; empty: any
  Machine instance = {};
  int nth = 1;
  bool operator==(const OnMetadata&) const = default;
};

// For each spot instance, when a lifetime is over that is drawn as it begins to run: Weibull, shape
// 1 is exponential. From the stream "spot-lifetime"/instance.
struct Lifetime {
  Duration mean{};
  double shape = 1;
  std::optional<market::Pool> pool = {};  // only instances of this one
  bool operator==(const Lifetime&) const = default;
};

using When = std::variant<AtTime, Drawn, OnEvent, OnCall, OnMetadata, Lifetime>;

using Argument = std::variant<bool, std::int64_t, double, Duration, std::string, market::Pool>;

// Those of a kind, checked against its parameters (kinds.h), with its defaults filled in.
class Arguments {
 public:
  void set(std::string name, Argument value) { values_.insert_or_assign(std::move(name), value); }
  // Null where it is not given and has no default.
  template <class T>
  const T* find(std::string_view name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? nullptr : std::get_if<T>(&found->second);
  }
  // Of an argument that is always there.
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
  std::string text;   // as the scenario has it
  std::string place;  // there, for messages: "az-hop.yaml:12"
  bool operator==(const ShortForm&) const = default;
};

struct Fault {
  std::string kind;  // of kinds()
  When when;
  Arguments arguments = {};
  double chance = 1;  // that it is part of a run at all, drawn from the seed
  // Set for an interruption, which the market decides: oracles are told of it before, and the log
  // has it as "scenario.interruption".
  std::optional<ShortForm> interruption = {};
  bool operator==(const Fault&) const = default;
};
using Plan = std::vector<Fault>;

// As an entry of a scenario's `faults`, in one line: "{on: {event: …}, kind: power-cut}".
std::string to_yaml(const Fault& fault);

}  // namespace sim::faults
