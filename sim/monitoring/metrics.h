// The metrics of an account: what clients have put, and what the simulator itself knows (CloudWatch
// User Guide, "Amazon CloudWatch concepts").
#pragma once

#include <compare>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sim/kernel/simulation.h"
#include "sim/monitoring/summary.h"

namespace sim::monitoring {

struct Metric {
  std::string space, name;  // "AWS/EC2", "StatusCheckFailed"
  std::map<std::string, std::string> dimensions = {};
  auto operator<=>(const Metric&) const = default;
};

// Values of a metric at one time.
struct Datum {
  Time at;
  bool by_the_second = false;  // StorageResolution 1; else all values of a minute are one
  std::string unit = "None";
  Summary summary = {};
};

// The values of one period. `at` is its beginning.
struct Datapoint {
  Time at;
  std::string unit;
  Summary summary;
};

// A question for the datapoints of a metric in [from, to), in periods that begin at `from`.
struct Question {
  Metric metric;
  Time from, to;
  Duration period;
  std::string unit = {};  // empty: all units, each with datapoints of its own
};

// Metrics whose values the simulator computes when a client asks.
class OwnMetrics {
 public:
  virtual ~OwnMetrics() = default;
  // The metrics with values after this time.
  virtual std::vector<Metric> since(Time t) const = 0;
  // The values in [from, to), and their unit. Empty for another's metric.
  virtual Summary between(const Metric& metric, Time from, Time to) const = 0;
  virtual std::string unit(const Metric& metric) const = 0;
};

class Metrics {
 public:
  // The simulation and `own` must outlive this object.
  Metrics(const Simulation& simulation, const OwnMetrics& own)
      : simulation_(simulation), own_(own) {}

  void put(const Metric& metric, const Datum& datum);
  // The metrics with values in the last two weeks, or in the last three hours (API reference,
  // ListMetrics).
  std::vector<Metric> list(bool recently_active) const;
  // False for metrics of AWS that are not simulated: only AWS writes to its namespaces.
  bool can_have_data(const Metric& metric) const;
  // In order of time. Periods without values are left out, and so are periods that are older than
  // CloudWatch keeps values of this resolution ("Metrics retention").
  std::vector<Datapoint> datapoints(const Question& question) const;

 private:
  struct Series {
    std::map<std::string, std::map<Time, Summary>> by_unit;
    Time newest{};
  };

  const Simulation& simulation_;
  const OwnMetrics& own_;
  std::map<Metric, Series> all_;
};

}  // namespace sim::monitoring
