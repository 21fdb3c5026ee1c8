// The layers one after the other, and the model that spottrain trains.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trainer/data/cifar.h"
#include "trainer/model/layer.h"
#include "trainer/model/softmax_loss.h"

namespace spottrain::inline small_network {

// A chain of layers with the buffers for one group of images. Cheap to make twice: parameters are
// not in it but handed to it, in one flat vector of parameter_count() values.
class Network {
 public:
  explicit Network(std::vector<std::unique_ptr<Layer>> layers);

  std::size_t parameter_count() const { return count_; }
  // All parameters' names and shapes, in the order in which they lie in the flat vector.
  std::vector<ParameterShape> parameters() const;
  std::vector<float> initial_parameters(std::uint64_t seed) const;

  // The loss on these images; sets gradient to scale × ∂(loss.sum)/∂parameters.
  Loss gradient(std::span<const float> parameters, std::span<const float> input,
                std::span<const int> labels, float scale, std::span<float> gradient);
  Loss evaluate(std::span<const float> parameters, std::span<const float> input,
                std::span<const int> labels);

 private:
  std::span<const float> forward(std::span<const float> parameters, std::span<const float> input,
                                 int images);

  struct Placed {
    std::unique_ptr<Layer> layer;
    std::size_t offset, count;  // of its parameters
  };
  std::vector<Placed> layers_;
  std::size_t count_ = 0;
  std::vector<float> output_gradient_;
};

// conv 3×3/2 to 8 channels → ReLU → pool → conv 3×3 to 16 → ReLU → pool → dense to ten classes.
inline constexpr std::string_view kSmallCnn = "cnn-8-16";
Network make_small_cnn();

// What equal bits depend on beyond the source: Eigen's version and instruction set, and whether
// multiplications and additions are fused. Equal classes compute equal weights.
std::string numeric_class();

// Bytes as floats, (value ÷ 255 − ½) × 4, appended to batch.
void append_normalised(std::span<const std::uint8_t> pixels, std::vector<float>& batch);

}  // namespace spottrain::inline small_network
