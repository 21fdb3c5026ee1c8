#include "trainer/engine/softmax_loss.h"

#include <algorithm>

#include "trainer/model/portable_math.h"

namespace spottrain {

void SoftmaxLoss::resize(int images, int classes) {
  classes_ = static_cast<std::size_t>(classes);
  images_.resize(static_cast<std::size_t>(images));
  softmax_.resize(images_.size() * classes_);
}

template <typename Scalar>
void SoftmaxLoss::set(int image, const Scalar* logits, int label) {
  const auto at = static_cast<std::size_t>(image);
  double* softmax = softmax_.data() + at * classes_;
  const Scalar* best = std::max_element(logits, logits + classes_);
  // Relative to the largest, so that nothing overflows and the sum is at least 1.
  double sum = 0;
  for (std::size_t c = 0; c < classes_; ++c) {
    softmax[c] = portable_exp(double{logits[c]} - double{*best});
    sum += softmax[c];
  }
  for (std::size_t c = 0; c < classes_; ++c) softmax[c] /= sum;
  images_[at] = {portable_log(sum) - (double{logits[label]} - double{*best}),
                 best - logits == label, label};
}

template <typename Scalar>
void SoftmaxLoss::gradient(int image, int images, Scalar* gradient) const {
  const auto at = static_cast<std::size_t>(image);
  const double* softmax = softmax_.data() + at * classes_;
  for (std::size_t c = 0; c < classes_; ++c) {
    const double target = static_cast<int>(c) == images_[at].label ? 1 : 0;
    gradient[c] = static_cast<Scalar>((softmax[c] - target) / images);
  }
}

Loss SoftmaxLoss::total(int images) const {
  Loss loss;
  for (int image = 0; image < images; ++image) {
    const Image& own = images_[static_cast<std::size_t>(image)];
    loss.sum += own.loss;
    loss.correct += own.correct ? 1 : 0;
  }
  return loss;
}

template void SoftmaxLoss::set(int, const float*, int);
template void SoftmaxLoss::set(int, const double*, int);
template void SoftmaxLoss::gradient(int, int, float*) const;
template void SoftmaxLoss::gradient(int, int, double*) const;

}  // namespace spottrain
