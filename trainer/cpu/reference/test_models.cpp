#include "trainer/cpu/reference/test_models.h"

#include <cmath>

#include "trainer/data/philox.h"

namespace spottrain::cpu {

TestBatch::TestBatch(const ModelDescription& model, int count, std::uint64_t seed)
    : images(static_cast<std::size_t>(count) * model.input.size()),
      labels(static_cast<std::size_t>(count)) {
  Philox random(seed, Purpose::shapes, 0);
  for (float& value : images) value = 2 * random.symmetric();
  const auto classes = static_cast<std::uint32_t>(output_shape(model).channels);
  for (int& label : labels) label = static_cast<int>(random.below(classes));
}

std::vector<float> random_state(const ModelDescription& model, std::uint64_t seed) {
  std::vector<float> state;
  Philox random(seed, Purpose::shapes, 1);
  for (const TensorInfo& tensor : tensors_of(model)) {
    const bool around_one =
        tensor.role == TensorRole::scale || tensor.name.ends_with("running_variance");
    const std::size_t fan_in = tensor.size() / tensor.shape.back();
    const float spread =
        tensor.role == TensorRole::weight ? std::sqrt(6.0f / static_cast<float>(fan_in)) : 0.3f;
    for (std::size_t i = 0; i < tensor.size(); ++i) {
      state.push_back((around_one ? 1.0f : 0.0f) + spread * random.symmetric());
    }
  }
  return state;
}

std::size_t trained_size(const ModelDescription& model) {
  std::size_t size = 0;
  for (const TensorInfo& tensor : tensors_of(model)) {
    if (tensor.role != TensorRole::running) size += tensor.size();
  }
  return size;
}

}  // namespace spottrain::cpu
