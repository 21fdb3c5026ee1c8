#include "trainer/cpu/reference/reference.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "trainer/data/philox.h"

namespace spottrain::cpu {
namespace {

// A batch of images, [image][row][column][channel].
struct Images {
  int count;
  ImageShape shape;
  std::vector<double> values;

  Images(int images, ImageShape image_shape)
      : count(images),
        shape(image_shape),
        values(static_cast<std::size_t>(images) * shape.size()) {}
  double& at(int image, int y, int x, int c) {
    const int index = ((image * shape.height + y) * shape.width + x) * shape.channels + c;
    return values[static_cast<std::size_t>(index)];
  }
  // 0 outside of the image.
  double get(int image, int y, int x, int c) {
    const bool inside = y >= 0 && y < shape.height && x >= 0 && x < shape.width;
    return inside ? at(image, y, x, c) : 0.0;
  }
  template <typename Body>
  void for_each(Body body) {
    for (int n = 0; n < count; ++n) {
      for (int y = 0; y < shape.height; ++y) {
        for (int x = 0; x < shape.width; ++x) {
          for (int c = 0; c < shape.channels; ++c) body(n, y, x, c);
        }
      }
    }
  }
};

class Forward {
 public:
  Forward(const ModelDescription& model, std::span<const double> state, bool training)
      : training_(training) {
    std::size_t at = 0;
    for (const TensorInfo& tensor : tensors_of(model)) {
      tensors_[tensor.name] = state.subspan(at, tensor.size());
      at += tensor.size();
    }
  }

  Images chain(const std::vector<Layer>& layers, Images x) {
    for (const Layer& layer : layers) {
      name_ = layer.name;
      Images y(x.count, output_shape(layer, x.shape));
      std::visit([&](const auto& kind) { compute(kind, x, y); }, layer.kind);
      x = std::move(y);
    }
    return x;
  }

 private:
  // The layer's tensor as a function of the index.
  auto tensor(const std::string& which) const {
    return [values = tensors_.at(name_ + "." + which)](int i) {
      return values[static_cast<std::size_t>(i)];
    };
  }

  void compute(const Conv& conv, Images& x, Images& y) {
    const auto weights = tensor("weight"), bias = tensor(conv.bias ? "bias" : "weight");
    y.for_each([&](int n, int row, int column, int c) {
      double sum = conv.bias ? bias(c) : 0.0;
      for (int i = 0; i < conv.kernel; ++i) {
        for (int j = 0; j < conv.kernel; ++j) {
          for (int k = 0; k < x.shape.channels; ++k) {
            const int weight = ((i * conv.kernel + j) * x.shape.channels + k) * conv.channels + c;
            sum += weights(weight) * x.get(n, row * conv.stride + i - conv.padding,
                                           column * conv.stride + j - conv.padding, k);
          }
        }
      }
      y.at(n, row, column, c) = sum;
    });
  }
  void compute(const Dense& dense, Images& x, Images& y) {
    const auto size = static_cast<int>(x.shape.size());
    const auto weights = tensor("weight"), bias = tensor("bias");
    y.for_each([&](int n, int, int, int c) {
      double sum = bias(c);
      for (int i = 0; i < size; ++i) {
        sum += weights(i * dense.outputs + c) * x.values[static_cast<std::size_t>(n * size + i)];
      }
      y.at(n, 0, 0, c) = sum;
    });
  }
  void compute(const BatchNorm& norm, Images& x, Images& y) {
    const auto channels = static_cast<std::size_t>(x.shape.channels);
    std::vector<double> mean(channels), variance(channels);
    const double count = static_cast<double>(x.values.size() / channels);
    x.for_each([&](int n, int i, int j, int c) {
      mean[static_cast<std::size_t>(c)] += x.at(n, i, j, c) / count;
    });
    x.for_each([&](int n, int i, int j, int c) {
      const double d = x.at(n, i, j, c) - mean[static_cast<std::size_t>(c)];
      variance[static_cast<std::size_t>(c)] += d * d / count;
    });
    const auto running_mean = tensor("running_mean"), running = tensor("running_variance");
    const auto scale = tensor("scale"), shift = tensor("shift");
    y.for_each([&](int n, int i, int j, int c) {
      const auto at = static_cast<std::size_t>(c);
      const double m = training_ ? mean[at] : running_mean(c);
      const double v = training_ ? variance[at] : running(c);
      y.at(n, i, j, c) = (x.at(n, i, j, c) - m) / std::sqrt(v + norm.epsilon) * scale(c) + shift(c);
    });
  }
  void compute(const Relu&, Images& x, Images& y) {
    std::ranges::transform(x.values, y.values.begin(), [](double v) { return std::max(v, 0.0); });
  }
  void compute(const MaxPool& pool, Images& x, Images& y) {
    y.for_each([&](int n, int row, int column, int c) {
      double best = -INFINITY;
      for (int i = 0; i < pool.size; ++i) {
        for (int j = 0; j < pool.size; ++j) {
          const int from_y = row * pool.stride + i - pool.padding;
          const int from_x = column * pool.stride + j - pool.padding;
          if (from_y < 0 || from_y >= x.shape.height) continue;
          if (from_x < 0 || from_x >= x.shape.width) continue;
          best = std::max(best, x.at(n, from_y, from_x, c));
        }
      }
      y.at(n, row, column, c) = best;
    });
  }
  void compute(const GlobalAveragePool&, Images& x, Images& y) {
    x.for_each([&](int n, int i, int j, int c) {
      y.at(n, 0, 0, c) += x.at(n, i, j, c) / (x.shape.height * x.shape.width);
    });
  }
  void compute(const Dropout& dropout, Images& x, Images& y) {
    y = x;
    if (!training_) return;
    const auto layer = static_cast<std::uint32_t>(dropouts_++) << 8;
    const auto size = static_cast<std::uint32_t>(x.shape.size()), blocks = (size + 3) / 4;
    for (std::uint32_t at = 0; at < x.values.size(); ++at) {
      const std::uint32_t image = at / size, element = at % size;
      const auto block = philox_block({image * blocks + element / 4, 0, 0,
                                       static_cast<std::uint32_t>(Purpose::dropout) + layer},
                                      {1, 0});
      const bool dropped = block[element % 4] < std::ldexp(dropout.rate, 32);
      y.values[at] *= dropped ? 0 : 1 / (1 - dropout.rate);
    }
  }
  void compute(const SubsamplePad& pad, Images& x, Images& y) {
    const int zeros = (y.shape.channels - x.shape.channels) / 2;
    y.for_each([&](int n, int i, int j, int c) {
      const bool inside = c >= zeros && c < zeros + x.shape.channels;
      y.at(n, i, j, c) = inside ? x.at(n, i * pad.stride, j * pad.stride, c - zeros) : 0.0;
    });
  }
  void compute(const Residual& residual, Images& x, Images& y) {
    y = chain(residual.body, x);
    const Images shortcut = chain(residual.shortcut, x);
    std::ranges::transform(y.values, shortcut.values, y.values.begin(), std::plus{});
  }

  std::map<std::string, std::span<const double>> tensors_;
  bool training_;
  int dropouts_ = 0;
  std::string name_;
};

}  // namespace

ReferenceLoss reference_loss(const ModelDescription& model, std::span<const double> state,
                             const Batch& batch, bool training) {
  Images x(static_cast<int>(batch.labels.size()), model.input);
  std::ranges::copy(batch.images, x.values.begin());
  ReferenceLoss result;
  result.logits = Forward(model, state, training).chain(model.layers, std::move(x)).values;
  const std::size_t classes = result.logits.size() / batch.labels.size();
  for (std::size_t i = 0; i < batch.labels.size(); ++i) {
    const auto logits = std::span(result.logits).subspan(i * classes, classes);
    double sum = 0;
    for (const double logit : logits) sum += std::exp(logit);
    result.sum += std::log(sum) - logits[static_cast<std::size_t>(batch.labels[i])];
  }
  return result;
}

double reference_derivative(const ModelDescription& model, std::span<const double> state,
                            const Batch& batch, std::size_t i) {
  constexpr double kStep = 1e-6;
  std::vector<double> moved(state.begin(), state.end());
  moved[i] = state[i] + kStep;
  const double above = reference_loss(model, moved, batch, true).sum;
  moved[i] = state[i] - kStep;
  const double below = reference_loss(model, moved, batch, true).sum;
  return (above - below) / (2 * kStep) / static_cast<double>(batch.labels.size());
}

}  // namespace spottrain::cpu
