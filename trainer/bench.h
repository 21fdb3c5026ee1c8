// `spottrain bench`: how fast this machine trains a model and saves it. These are the numbers that
// the simulator's models of a training are calibrated with.
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
  int steps = 20;            // timed ones, after two more
  int saves = 5;             // of each kind
  std::string folder = ".";  // in which checkpoints are written to a folder of their own, then gone
  bool json = false;         // one object on stdout instead of a table
};

// Measures whole training steps on random images with crops and flips, the share of each layer in
// them, and checkpoints written while training waits and behind its back. Throws
// std::invalid_argument and std::system_error.
void bench(const BenchRequest& request);

}  // namespace spottrain
