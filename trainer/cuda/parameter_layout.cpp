#include "trainer/cuda/parameter_layout.h"

namespace spottrain::cuda {
namespace {

constexpr std::size_t kAlignment = 64;  // values

bool is_convolution(const TensorInfo& tensor) { return tensor.shape.size() == 4; }

// Calls move(place on the host, place on the device) for each value of a tensor.
template <typename Move>
void for_each_value(const ParameterLayout::Placed& placed, Move move) {
  const std::size_t size = placed.tensor.size();
  const std::size_t outputs = is_convolution(placed.tensor) ? placed.tensor.shape[3] : 1;
  const std::size_t inputs = size / outputs;
  for (std::size_t i = 0; i < inputs; ++i) {
    for (std::size_t o = 0; o < outputs; ++o) {
      move(placed.host + i * outputs + o, placed.device + o * inputs + i);
    }
  }
}

}  // namespace

ParameterLayout::ParameterLayout(const ModelDescription& model) {
  for (TensorInfo& tensor : tensors_of(model)) {
    const std::size_t size = tensor.size();
    if (tensor.role != TensorRole::running) host_trained_ += size;
    tensors_.push_back({std::move(tensor), host_all_, 0});
    host_all_ += size;
  }
  const auto place = [&](auto belongs) {
    for (Placed& placed : tensors_) {
      if (!belongs(placed.tensor)) continue;
      placed.device = device_all_;
      device_all_ += (placed.tensor.size() + kAlignment - 1) / kAlignment * kAlignment;
    }
    return device_all_;
  };
  const auto running = [](const TensorInfo& t) { return t.role == TensorRole::running; };
  device_weights_ = place(is_convolution);
  device_trained_ = place([&](const TensorInfo& t) { return !is_convolution(t) && !running(t); });
  place(running);
}

void ParameterLayout::to_device(std::span<const float> host, std::span<float> device) const {
  for (const Placed& placed : tensors_) {
    if (placed.host >= host.size()) break;
    for_each_value(placed, [&](std::size_t from, std::size_t to) { device[to] = host[from]; });
  }
}

void ParameterLayout::to_host(std::span<const float> device, std::span<float> host) const {
  for (const Placed& placed : tensors_) {
    if (placed.host >= host.size()) break;
    for_each_value(placed, [&](std::size_t to, std::size_t from) { host[to] = device[from]; });
  }
}

}  // namespace spottrain::cuda
