// The model of EC2's metric CPUUtilization. An instance's CPUs have two levels: an idle one, and
// one while its trainer works. Other programs count only while virtual time passes for their
// computing (docs/virtual-time.md).
#pragma once

#include <functional>
#include <optional>

#include "sim/cloud/ids.h"
#include "sim/kernel/time.h"
#include "sim/market/instance_types.h"

namespace sim::monitoring {

// What an instance's programs did in a stretch of time.
struct MachineWork {
  Duration training{};   // its trainer worked on steps
  Duration computing{};  // programs computed, and virtual time passed for it
};
// The work of an instance in [from, to), which is over. Empty: nothing runs on instances.
using FindWork = std::function<MachineWork(const cloud::InstanceId& instance, Time from, Time to)>;

// The levels in percent. These are assumptions, and a scenario may set them.
struct CpuKnobs {
  double idle = 0.5;                    // an instance whose programs do nothing
  std::optional<double> training = {};  // while a trainer works; empty: training_percent()
};

// The level of a trainer on this type: one vCPU for each GPU, or all vCPUs of a type without GPUs.
// Null: the type is unknown, and all its vCPUs work.
double training_percent(const market::InstanceType* type);

// The utilisation over a period, in percent. Computing takes one vCPU. A trainer's own computing is
// part of its work, so only the greater of both counts.
double cpu_percent(const CpuKnobs& knobs, const market::InstanceType* type, const MachineWork& work,
                   Duration period);

}  // namespace sim::monitoring
