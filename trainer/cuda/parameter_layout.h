// The places of a model's tensors in the device's flat vectors. The host's order is that of
// tensors_of(). The device has the convolutions' weights first, as (output channel, row, column,
// input channel), then the other trained tensors, then running values. Each tensor is float32 and
// aligned to 256 bytes, with zeros in the gaps.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "trainer/model/description.h"

namespace spottrain::cuda {

class ParameterLayout {
 public:
  explicit ParameterLayout(const ModelDescription& model);

  struct Placed {
    TensorInfo tensor;
    std::size_t host = 0, device = 0;  // where it begins
  };
  const std::vector<Placed>& tensors() const { return tensors_; }  // in tensors_of()'s order

  // Sizes of the flat vectors in values; trained values come first in both.
  std::size_t host_trained() const { return host_trained_; }
  std::size_t host_all() const { return host_all_; }
  std::size_t device_weights() const { return device_weights_; }  // of convolutions
  std::size_t device_trained() const { return device_trained_; }
  std::size_t device_all() const { return device_all_; }

  // Copies vectors of either all values or the trained values. The zeros in the gaps stay.
  void to_device(std::span<const float> host, std::span<float> device) const;
  void to_host(std::span<const float> device, std::span<float> host) const;

 private:
  std::vector<Placed> tensors_;
  std::size_t host_trained_ = 0, host_all_ = 0;
  std::size_t device_weights_ = 0, device_trained_ = 0, device_all_ = 0;
};

}  // namespace spottrain::cuda
