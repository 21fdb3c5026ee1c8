// The engine that the tests of this folder are linked with: on the GPU, or emulated on the CPU.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "trainer/engine/cuda_module.h"
#include "trainer/engine/engine.h"

namespace spottrain::cuda {

// Why there is no engine to test here; empty if there is one.
std::string why_untested();
CudaModule& tested_module();
std::unique_ptr<Engine> tested_engine(const ModelDescription& model, const EngineOptions& options);
// An emulation is slow: tests then take smaller images.
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
