#include "trainer/model/description.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <stdexcept>

namespace spottrain {
namespace {

// Limits: a larger model is a mistake. Below these limits, no size overflows an int or the memory
// of a machine.
constexpr int kMostChannels = 65'536, kMostKernel = 64, kMostStride = 64;
constexpr std::size_t kMostValues = std::size_t{1} << 28;

std::string text(ImageShape shape) {
  return fmt::format("{}×{}×{}", shape.height, shape.width, shape.channels);
}

// The shape rules of one layer. Errors have its name.
class ShapeRule {
 public:
  ShapeRule(const Layer& layer, ImageShape input) : name_(layer.name), input_(input) {
    if (input.height < 1 || input.width < 1 || input.channels < 1) {
      fail("its input is {}, expected at least 1×1×1", text(input));
    }
  }

  ImageShape operator()(const Conv& conv) const {
    window(conv.kernel, conv.stride, conv.padding, conv.kernel - 1);
    return {extent(input_.height, conv.kernel, conv.stride, conv.padding),
            extent(input_.width, conv.kernel, conv.stride, conv.padding),
            range("channels", conv.channels, 1, kMostChannels)};
  }
  ImageShape operator()(const BatchNorm& norm) const {
    if (!(norm.epsilon > 0 && norm.epsilon < 1)) {
      fail("epsilon {}, expected above 0 and below 1", norm.epsilon);
    }
    if (!(norm.momentum >= 0 && norm.momentum <= 1)) {
      fail("momentum {}, expected 0 to 1", norm.momentum);
    }
    return input_;
  }
  ImageShape operator()(const Relu&) const { return input_; }
  ImageShape operator()(const MaxPool& pool) const {
    window(pool.size, pool.stride, pool.padding, pool.size / 2);
    return {extent(input_.height, pool.size, pool.stride, pool.padding),
            extent(input_.width, pool.size, pool.stride, pool.padding), input_.channels};
  }
  ImageShape operator()(const GlobalAveragePool&) const { return {1, 1, input_.channels}; }
  ImageShape operator()(const Dense& dense) const {
    return {1, 1, range("outputs", dense.outputs, 1, kMostChannels)};
  }
  ImageShape operator()(const Dropout& dropout) const {
    if (!(dropout.rate >= 0 && dropout.rate < 1)) {
      fail("rate {}, expected 0 to below 1", dropout.rate);
    }
    return input_;
  }
  ImageShape operator()(const SubsamplePad& pad) const {
    range("stride", pad.stride, 1, kMostStride);
    range("channels", pad.channels, input_.channels, kMostChannels);
    if ((pad.channels - input_.channels) % 2 != 0) {
      fail("{} channels from {}: expected an even number more, half of it on each side",
           pad.channels, input_.channels);
    }
    return {(input_.height - 1) / pad.stride + 1, (input_.width - 1) / pad.stride + 1,
            pad.channels};
  }
  ImageShape operator()(const Residual& residual) const {
    const ImageShape body = chain(residual.body), shortcut = chain(residual.shortcut);
    if (body != shortcut) {
      fail("its body makes {}, its shortcut {}: expected equal shapes to add", text(body),
           text(shortcut));
    }
    return body;
  }

  template <typename... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    throw std::invalid_argument("layer " + name_ + ": " +
                                fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  ImageShape chain(const std::vector<Layer>& layers) const {
    ImageShape shape = input_;
    for (const Layer& layer : layers) shape = output_shape(layer, shape);
    return shape;
  }
  int range(std::string_view what, int value, int low, int high) const {
    if (value < low || value > high) {
      fail("{} {}, expected {} to {}", what, value, low, high);
    }
    return value;
  }
  void window(int size, int stride, int padding, int most_padding) const {
    range("kernel", size, 1, kMostKernel);
    range("stride", stride, 1, kMostStride);
    range("padding", padding, 0, most_padding);
  }
  int extent(int input, int size, int stride, int padding) const {
    if (size > input + 2 * padding) {
      fail("a kernel of {} with padding {} is larger than its input {}", size, padding,
           text(input_));
    }
    return (input + 2 * padding - size) / stride + 1;
  }

  const std::string& name_;
  ImageShape input_;
};

// Collects the tensors of a chain of layers: the layer's own tensors, then those of the layers
// inside.
struct Collector {
  std::vector<TensorInfo> trained, running;

  void add(const Layer& layer, ImageShape input) {
    const auto in = static_cast<std::size_t>(input.channels);
    const auto out = static_cast<std::size_t>(output_shape(layer, input).channels);
    if (const auto* conv = std::get_if<Conv>(&layer.kind)) {
      const auto kernel = static_cast<std::size_t>(conv->kernel);
      trained.push_back({layer.name + ".weight", {kernel, kernel, in, out}, TensorRole::weight});
      if (conv->bias) trained.push_back({layer.name + ".bias", {out}, TensorRole::bias});
    } else if (std::holds_alternative<Dense>(layer.kind)) {
      trained.push_back({layer.name + ".weight", {input.size(), out}, TensorRole::weight});
      trained.push_back({layer.name + ".bias", {out}, TensorRole::bias});
    } else if (std::holds_alternative<BatchNorm>(layer.kind)) {
      trained.push_back({layer.name + ".scale", {in}, TensorRole::scale});
      trained.push_back({layer.name + ".shift", {in}, TensorRole::shift});
      running.push_back({layer.name + ".running_mean", {in}, TensorRole::running});
      running.push_back({layer.name + ".running_variance", {in}, TensorRole::running});
    } else if (const auto* residual = std::get_if<Residual>(&layer.kind)) {
      add_chain(residual->body, input);
      add_chain(residual->shortcut, input);
    }
  }
  void add_chain(const std::vector<Layer>& layers, ImageShape shape) {
    for (const Layer& layer : layers) {
      add(layer, shape);
      shape = output_shape(layer, shape);
    }
  }
};

void require_distinct_names(const std::vector<TensorInfo>& tensors) {
  std::set<std::string_view> names;
  for (const TensorInfo& tensor : tensors) {
    if (!names.insert(tensor.name).second) {
      throw std::invalid_argument("two tensors are named " + tensor.name +
                                  ": expected every layer's name once");
    }
  }
}

}  // namespace

std::size_t TensorInfo::size() const {
  std::size_t size = 1;
  for (const std::size_t extent : shape) size *= extent;
  return size;
}

ImageShape output_shape(const Layer& layer, ImageShape input) {
  const ShapeRule rule(layer, input);
  const ImageShape output = std::visit(rule, layer.kind);
  if (output.size() > kMostValues) {
    rule.fail("its output of {} is more than {} values an image", text(output), kMostValues);
  }
  return output;
}

ImageShape output_shape(const ModelDescription& model) {
  ImageShape shape = model.input;
  for (const Layer& layer : model.layers) shape = output_shape(layer, shape);
  return shape;
}

std::vector<TensorInfo> tensors_of(const ModelDescription& model) {
  Collector collector;
  collector.add_chain(model.layers, model.input);
  std::vector<TensorInfo> tensors = std::move(collector.trained);
  std::move(collector.running.begin(), collector.running.end(), std::back_inserter(tensors));
  require_distinct_names(tensors);
  std::size_t values = 0;
  for (const TensorInfo& tensor : tensors) {
    values += tensor.size();
    if (values > kMostValues) {
      throw std::invalid_argument(
          fmt::format("its state up to {} is more than {} values", tensor.name, kMostValues));
    }
  }
  return tensors;
}

}  // namespace spottrain
