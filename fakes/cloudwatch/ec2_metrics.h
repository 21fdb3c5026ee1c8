// The metrics of EC2 whose values the simulator knows: status checks, every minute while an
// instance runs (EC2 User Guide, "CloudWatch metrics that are available for your instances"). No
// simulated instance fails them. CPU, disk and network metrics have no data, because virtual time
// says nothing about a real program's load.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/cloud/cloud.h"
#include "sim/monitoring/metrics.h"

namespace fakes::cloudwatch {

class Ec2Metrics : public sim::monitoring::OwnMetrics, private sim::cloud::Observer {
 public:
  // Knows of earlier instances only since when they last started. The cloud must not change after
  // this object has been destroyed.
  explicit Ec2Metrics(sim::cloud::Cloud& cloud);

  std::vector<sim::monitoring::Metric> since(sim::Time t) const override;
  sim::monitoring::Summary between(const sim::monitoring::Metric& metric, sim::Time from,
                                   sim::Time to) const override;
  std::string unit(const sim::monitoring::Metric& metric) const override;

 private:
  struct Run {
    sim::Time from;
    std::optional<sim::Time> to = {};  // empty: it still runs
  };

  void instance_state(const sim::cloud::Instance& instance,
                      std::optional<sim::cloud::InstanceState> from) override;

  sim::cloud::Cloud& cloud_;
  std::map<sim::cloud::InstanceId, std::vector<Run>> runs_;
};

}  // namespace fakes::cloudwatch
