// The engine that the tests of this folder link: on the GPU, or emulated on the CPU.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "trainer/engine/cuda_module.h"
#include "trainer/engine/engine.h"

namespace spottrain::cuda {

// Why this machine has no engine to test. Empty if it has one.
std::string why_untested();
CudaModule& tested_module();
std::unique_ptr<Engine> tested_engine(const ModelDescription& model, const EngineOptions& options);
// True for the emulation, which is slow, so that tests use smaller images.
bool is_emulated();

template <typename Base>
class OnTestedEngine : public Base {
 protected:
  void SetUp() override {
    const std::string reason = why_untested();
    if (!reason.empty()) GTEST_SKIP() << reason;
  }
};

}  // namespace spottrain::cuda
