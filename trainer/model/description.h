// A model as data, with its shapes and tensors. It is read from a text file or by a built-in name.
// It has no arithmetic: engines compute (trainer/engine/engine.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "trainer/model/image_shape.h"

namespace spottrain {

struct Layer;

// A square kernel; weights are (row, column, input channel, output channel).
struct Conv {
  int channels = 0, kernel = 3, stride = 1, padding = 1;
  bool bias = false;
};
// Normalises over batch, rows and columns. running = (1 − momentum)·running + momentum·batch, with
// the unbiased variance, as in PyTorch's BatchNorm2d.
struct BatchNorm {
  double epsilon = 1e-5, momentum = 0.1;
};
struct Relu {};
struct MaxPool {
  int size = 2, stride = 2, padding = 0;
};
struct GlobalAveragePool {};
// Takes the input as one flat vector in (row, column, channel) order; weights are (input, output).
struct Dense {
  int outputs = 0;
};
// In training, sets values to zero with this probability, and scales the others by 1 ÷ (1 − rate).
struct Dropout {
  double rate = 0.5;
};
// Takes every stride-th pixel, and adds zero channels on both sides: the shortcut "option A" of He
// et al., "Deep residual learning for image recognition", CVPR 2016, section 4.2.
struct SubsamplePad {
  int channels = 0, stride = 2;
};
// body(x) + shortcut(x); an empty shortcut is x itself.
struct Residual {
  std::vector<Layer> body, shortcut;
};

// All kinds of layers that compute, and More.
template <typename... More>
using LayerKind = std::variant<Conv, BatchNorm, Relu, MaxPool, GlobalAveragePool, Dense, Dropout,
                               SubsamplePad, More...>;

struct Layer {
  std::string name;  // unique in its model, "stage2.block1.conv1"; prefixes its tensors' names
  LayerKind<Residual> kind;
};

// A model. The output of the last layer has one value for each class: logits for a softmax.
struct ModelDescription {
  std::string name;
  ImageShape input;
  std::vector<Layer> layers;
};

// The shape of a layer's output for this input. If the layer cannot take the input, it throws
// std::invalid_argument that names the layer.
ImageShape output_shape(const Layer& layer, ImageShape input);
ImageShape output_shape(const ModelDescription& model);

enum class TensorRole {
  weight,   // trained, decayed
  bias,     // trained, of a conv or dense layer; decayed, as PyTorch's optimizers do
  scale,    // of a batch norm: trained, decayed
  shift,    // of a batch norm: trained, decayed
  running,  // of a batch norm: its mean or variance; not trained, but part of the state
};

struct TensorInfo {
  std::string name;  // "conv1.weight", "bn1.scale", "bn1.running_mean"
  std::vector<std::size_t> shape;
  TensorRole role = TensorRole::weight;
  std::size_t size() const;
};

// All tensors of a model, in the order of a flat vector of the state. Trained tensors come first,
// then the running ones. Both are layer by layer. A residual's body comes before its shortcut.
std::vector<TensorInfo> tensors_of(const ModelDescription& model);

}  // namespace spottrain
