#include "sim/monitoring/cpu_model.h"

#include <gtest/gtest.h>

namespace sim::monitoring {
namespace {

using namespace std::chrono_literals;

const market::InstanceType* type(const char* name) {
  static const auto types = market::instance_types();
  return market::find_instance_type(*types, name);
}

TEST(CpuModel, ATrainerUsesAVcpuForEachGpuOrElseAllVcpus) {
  EXPECT_DOUBLE_EQ(training_percent(type("p3.2xlarge")), 12.5) << "1 GPU, 8 vCPUs";
  EXPECT_DOUBLE_EQ(training_percent(type("p3.16xlarge")), 12.5) << "8 GPUs, 64 vCPUs";
  EXPECT_DOUBLE_EQ(training_percent(type("c5.xlarge")), 100);
  EXPECT_DOUBLE_EQ(training_percent(nullptr), 100);
}

TEST(CpuModel, APeriodHasTheMeanOfItsLevels) {
  const auto* const gpu = type("p3.2xlarge");
  EXPECT_DOUBLE_EQ(cpu_percent({}, gpu, {}, 60s), 0.5);
  EXPECT_DOUBLE_EQ(cpu_percent({}, gpu, {.training = 60s}, 60s), 12.5);
  EXPECT_DOUBLE_EQ(cpu_percent({}, gpu, {.training = 30s}, 60s), 6.5);
  EXPECT_DOUBLE_EQ(cpu_percent({.idle = 2, .training = 80}, gpu, {.training = 30s}, 60s), 41);
}

TEST(CpuModel, ComputingTakesOneVcpuAndIsPartOfATrainersWork) {
  EXPECT_DOUBLE_EQ(cpu_percent({}, type("c5.xlarge"), {.computing = 60s}, 60s), 25);
  EXPECT_DOUBLE_EQ(cpu_percent({}, type("p3.2xlarge"), {.training = 60s, .computing = 60s}, 60s),
                   12.5);
}

}  // namespace
}  // namespace sim::monitoring
