// Softmax and cross-entropy: what the network's outputs are worth.
#pragma once

#include <span>
#include <vector>

namespace spottrain::inline small_network {

struct Loss {
  double sum = 0;   // over the images: −log of the label's probability
  int correct = 0;  // images whose largest output is the label's
};

// outputs has kClasses values an image; labels one. gradient becomes
// scale × ∂(sum)/∂outputs = scale × (softmax(outputs) − one at the label).
Loss softmax_cross_entropy(std::span<const float> outputs, std::span<const int> labels, float scale,
                           std::vector<float>& gradient);

}  // namespace spottrain::inline small_network
