#include <algorithm>
#include <cmath>
#include <optional>

#include "trainer/data/philox.h"
#include "trainer/engine/engine.h"
#include "trainer/model/portable_math.h"

namespace spottrain {
namespace {

enum class Distribution { he_normal, uniform, zeros };

// Normal deviates by Marsaglia's polar method ("A convenient method for generating normal
// variables", SIAM Review 6, 1964). It needs only additions, multiplications, a root and our own
// logarithm.
class NormalDeviates {
 public:
  explicit NormalDeviates(Philox& random) : random_(random) {}

  double next() {
    if (second_) return *std::exchange(second_, std::nullopt);
    for (;;) {
      const double u = double{random_.symmetric()}, v = double{random_.symmetric()};
      const double square = u * u + v * v;
      if (square >= 1 || square == 0) continue;
      const double scale = std::sqrt(-2 * portable_log(square) / square);
      second_ = v * scale;
      return u * scale;
    }
  }

 private:
  Philox& random_;
  std::optional<double> second_;
};

void draw(Distribution distribution, std::size_t fan_in, Philox random, std::span<float> values) {
  const double inputs = static_cast<double>(fan_in);
  if (distribution == Distribution::he_normal) {
    NormalDeviates normal(random);
    const double deviation = std::sqrt(2 / inputs);
    for (float& value : values) value = static_cast<float>(deviation * normal.next());
  } else if (distribution == Distribution::uniform) {
    const double bound = 1 / std::sqrt(inputs);
    for (float& value : values) value = static_cast<float>(bound * double{random.symmetric()});
  }
}

// Walks a model's layers in tensors_of()'s order and fills the state.
class Initialiser {
 public:
  Initialiser(const ModelDescription& model, std::uint64_t seed)
      : seed_(seed), tensors_(tensors_of(model)) {
    std::size_t size = 0;
    for (const TensorInfo& tensor : tensors_) size += tensor.size();
    state_.assign(size, 0.0f);
    chain(model.layers, nullptr);
    for (; tensor_ < tensors_.size(); take()) {
      if (tensors_[tensor_].name.ends_with(".running_variance")) std::ranges::fill(values(), 1.0f);
    }
  }
  std::vector<float> result() && { return std::move(state_); }

 private:
  // `after` is the layer after the chain; null: none.
  void chain(const std::vector<Layer>& layers, const Layer* after) {
    for (std::size_t i = 0; i < layers.size(); ++i) {
      layer(layers[i], i + 1 < layers.size() ? &layers[i + 1] : after);
    }
  }
  void layer(const Layer& layer, const Layer* next) {
    if (const auto* conv = std::get_if<Conv>(&layer.kind)) {
      const bool rectified = next != nullptr && (std::holds_alternative<BatchNorm>(next->kind) ||
                                                 std::holds_alternative<Relu>(next->kind));
      weights(rectified ? Distribution::he_normal : Distribution::uniform,
              rectified ? Distribution::zeros : Distribution::uniform, conv->bias);
    } else if (std::holds_alternative<Dense>(layer.kind)) {
      weights(Distribution::uniform, Distribution::uniform, true);
    } else if (std::holds_alternative<BatchNorm>(layer.kind)) {
      std::ranges::fill(values(), 1.0f);
      take();
      take();  // the shift stays zero
    } else if (const auto* residual = std::get_if<Residual>(&layer.kind)) {
      chain(residual->body, next);
      chain(residual->shortcut, next);
    }
  }
  void weights(Distribution weight, Distribution bias, bool has_bias) {
    const std::size_t fan_in = tensors_[tensor_].size() / tensors_[tensor_].shape.back();
    draw(weight, fan_in, stream(), values());
    take();
    if (!has_bias) return;
    draw(bias, fan_in, stream(), values());
    take();
  }

  Philox stream() const { return Philox(seed_, Purpose::initial_weights, tensor_); }
  std::span<float> values() { return std::span(state_).subspan(at_, tensors_[tensor_].size()); }
  void take() { at_ += tensors_[tensor_++].size(); }

  std::uint64_t seed_;
  std::vector<TensorInfo> tensors_;
  std::vector<float> state_;
  std::size_t tensor_ = 0, at_ = 0;  // the present tensor, and its offset
};

}  // namespace

std::vector<float> initial_state(const ModelDescription& model, std::uint64_t seed) {
  return Initialiser(model, seed).result();
}

}  // namespace spottrain
