#include "sim/monitoring/cpu_model.h"

#include <algorithm>
#include <cmath>

namespace sim::monitoring {
namespace {

constexpr double kAll = 100;

double share(Duration part, Duration whole) {
  return std::chrono::duration<double>(part) / std::chrono::duration<double>(whole);
}

double vcpus_percent(const market::InstanceType* type, double vcpus) {
  if (type == nullptr || type->vcpus <= 0) return kAll;
  return std::min(kAll, kAll * vcpus / type->vcpus);
}

}  // namespace

double training_percent(const market::InstanceType* type) {
  if (type == nullptr || type->gpus <= 0) return kAll;
  return vcpus_percent(type, std::ceil(type->gpus));
}

double cpu_percent(const CpuKnobs& knobs, const market::InstanceType* type, const MachineWork& work,
                   Duration period) {
  const double training = knobs.training ? *knobs.training : training_percent(type);
  const double busy = std::max(training * share(work.training, period),
                               vcpus_percent(type, 1) * share(work.computing, period));
  const double rest = 1 - std::max(share(work.training, period), share(work.computing, period));
  return std::min(kAll, busy + knobs.idle * rest);
}

}  // namespace sim::monitoring
