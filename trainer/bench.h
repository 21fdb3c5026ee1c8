// `spottrain bench`: how fast this machine trains a model and saves it. The simulator's models of a
// training are calibrated with these numbers.
#pragma once

#include <string>

#include "trainer/engine/engine.h"
#include "trainer/loop/engines.h"
#include "trainer/model/image_shape.h"

namespace spottrain {

struct BenchRequest {
  std::string model = "resnet20";
  ImageShape input{32, 32, 3};
  int classes = 10;
  int batch_size = 128;
  int threads = 1;
  Device device = Device::cpu;
  CpuEngine cpu = CpuEngine::automatic;
  Precision precision = Precision::fp32;
  int steps = 20;            // timed steps, after two untimed ones
  int saves = 5;             // of each kind
  std::string folder = ".";  // for a temporary folder of checkpoints
  bool json = false;         // print one JSON object instead of a table
};

// Measures training steps on random images with crops and flips, the share of each layer, and
// checkpoints in both modes (docs/checkpoints.md). Throws std::invalid_argument and
// std::system_error.
void bench(const BenchRequest& request);

}  // namespace spottrain
