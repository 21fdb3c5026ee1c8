#include "trainer/model/softmax_loss.h"

#include <algorithm>
#include <array>

#include "trainer/data/cifar.h"
#include "trainer/model/portable_math.h"

namespace spottrain::inline small_network {

Loss softmax_cross_entropy(std::span<const float> outputs, std::span<const int> labels, float scale,
                           std::vector<float>& gradient) {
  Loss loss;
  gradient.resize(outputs.size());
  for (std::size_t image = 0; image < labels.size(); ++image) {
    const auto scores = outputs.subspan(image * kClasses, kClasses);
    const auto label = static_cast<std::size_t>(labels[image]);
    const auto best = std::max_element(scores.begin(), scores.end());
    if (best - scores.begin() == labels[image]) ++loss.correct;
    // Relative to the largest, so that nothing overflows; the largest term is 1, so log is safe.
    std::array<double, kClasses> exponentials{};
    double total = 0;
    for (std::size_t k = 0; k < kClasses; ++k) {
      exponentials[k] = portable_exp(double{scores[k]} - double{*best});
      total += exponentials[k];
    }
    loss.sum += portable_log(total) - (double{scores[label]} - double{*best});
    for (std::size_t k = 0; k < kClasses; ++k) {
      const double probability = exponentials[k] / total;
      gradient[image * kClasses + k] =
          scale * static_cast<float>(probability - (k == label ? 1.0 : 0.0));
    }
  }
  return loss;
}

}  // namespace spottrain::inline small_network
