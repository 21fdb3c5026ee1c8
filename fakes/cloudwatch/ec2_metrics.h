// The metrics of EC2 whose values the simulator knows, while an instance runs (EC2 User Guide,
// "CloudWatch metrics that are available for your instances"):
//  - CPUUtilization, as sim/monitoring/cpu_model.h models it. A datapoint has the values of five
//    minutes, or of one with detailed monitoring, and appears when they are over.
//  - StatusCheckFailed and its two parts, every minute. No simulated instance fails the checks.
//
// Disk and network metrics have no data. Dimensions are InstanceId or AutoScalingGroupName. For
// instances with detailed monitoring, also ImageId, InstanceType or none.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fakes/backend.h"
#include "sim/cloud/cloud.h"
#include "sim/monitoring/metrics.h"

namespace fakes::cloudwatch {

// A stretch of time in which an instance runs with the same monitoring.
struct Ec2Run {
  sim::Time from;
  std::optional<sim::Time> to = {};  // empty: it still runs
  std::string type;                  // of the instance
  bool detailed = false;             // its monitoring
};

class Ec2Metrics : public sim::monitoring::OwnMetrics, private sim::cloud::Observer {
 public:
  // Knows of earlier instances only since when they last started. The cloud must not change after
  // this object has been destroyed.
  explicit Ec2Metrics(Backend& backend);

  std::vector<sim::monitoring::Metric> since(sim::Time t) const override;
  sim::monitoring::Summary between(const sim::monitoring::Metric& metric, sim::Time from,
                                   sim::Time to) const override;
  std::string unit(const sim::monitoring::Metric& metric) const override;

 private:
  void instance_state(const sim::cloud::Instance& instance,
                      std::optional<sim::cloud::InstanceState> from) override;
  void monitoring(const sim::cloud::Instance& instance) override;
  void begin(const sim::cloud::Instance& instance, sim::Time from);
  void add_cpu(sim::monitoring::Summary& summary, const sim::cloud::Instance& instance,
               const Ec2Run& run, sim::Time from, sim::Time to) const;

  Backend& backend_;
  std::map<sim::cloud::InstanceId, std::vector<Ec2Run>> runs_;
};

}  // namespace fakes::cloudwatch
