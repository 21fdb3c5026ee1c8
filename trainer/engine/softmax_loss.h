// Softmax and cross-entropy of each image's logits, float or double, in double precision.
#pragma once

#include <vector>

#include "trainer/engine/engine.h"

namespace spottrain {

class SoftmaxLoss {
 public:
  void resize(int images, int classes);
  // Keeps image i's loss and softmax.
  template <typename Scalar>
  void set(int image, const Scalar* logits, int label);
  // ∂(mean over that many images)/∂logits = (softmax − one at the label) ÷ images.
  template <typename Scalar>
  void gradient(int image, int images, Scalar* gradient) const;
  // The sum over images, in their order.
  Loss total(int images) const;

 private:
  struct Image {
    double loss = 0;
    bool correct = false;
    int label = 0;
  };
  std::size_t classes_ = 0;
  std::vector<Image> images_;
  std::vector<double> softmax_;
};

}  // namespace spottrain
