// Writes the initial state and the batches to standard output for resnet20.py: little-endian
// float32 and int32 without gaps.
#include <cstdio>

#include "trainer/cpu/golden/inputs.h"

int main() {
  using namespace spottrain;
  using namespace spottrain::cpu;
  const auto put = [](const auto& values) {
    std::fwrite(values.data(), sizeof(values[0]), values.size(), stdout);
  };
  put(initial_state(golden::model(), golden::kSeed));
  for (const TestBatch& batch : golden::batches()) {
    put(batch.images);
    put(batch.labels);
  }
}
