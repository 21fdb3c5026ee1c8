// Each kind of layer as one line of a model's text: its word, the prefix of its automatic name, and
// its fields. parse_model reads by this table and model_text writes by it. A Fields class has
//   value(what, field)             the first word after the layer's own
//   outputs(field)                 the same, where "classes" stands for the data set's
//   option(key, field, fallback)   "key=value", omitted if equal to the fallback
//   flag(word, field)              the bare word
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "trainer/model/description.h"

namespace spottrain {

template <typename Kind>
struct LayerSyntax;

template <>
struct LayerSyntax<Conv> {
  static constexpr std::string_view word = "conv", name = "conv";
  static void fields(auto& line, auto& conv) {
    line.value("channels", conv.channels);
    line.option("kernel", conv.kernel, 3);
    line.option("stride", conv.stride, 1);
    line.option("padding", conv.padding, (conv.kernel - 1) / 2);
    line.flag("bias", conv.bias);
  }
};

template <>
struct LayerSyntax<BatchNorm> {
  static constexpr std::string_view word = "batch-norm", name = "bn";
  static void fields(auto& line, auto& norm) {
    line.option("epsilon", norm.epsilon, BatchNorm().epsilon);
    line.option("momentum", norm.momentum, BatchNorm().momentum);
  }
};

template <>
struct LayerSyntax<Relu> {
  static constexpr std::string_view word = "relu", name = "relu";
  static void fields(auto&, auto&) {}
};

template <>
struct LayerSyntax<MaxPool> {
  static constexpr std::string_view word = "max-pool", name = "pool";
  static void fields(auto& line, auto& pool) {
    line.option("size", pool.size, 2);
    line.option("stride", pool.stride, pool.size);
    line.option("padding", pool.padding, 0);
  }
};

template <>
struct LayerSyntax<GlobalAveragePool> {
  static constexpr std::string_view word = "global-average-pool", name = "average";
  static void fields(auto&, auto&) {}
};

template <>
struct LayerSyntax<Dense> {
  static constexpr std::string_view word = "dense", name = "dense";
  static void fields(auto& line, auto& dense) { line.outputs(dense.outputs); }
};

template <>
struct LayerSyntax<Dropout> {
  static constexpr std::string_view word = "dropout", name = "dropout";
  static void fields(auto& line, auto& dropout) { line.value("rate", dropout.rate); }
};

template <>
struct LayerSyntax<SubsamplePad> {
  static constexpr std::string_view word = "subsample-pad", name = "subsample";
  static void fields(auto& line, auto& pad) {
    line.value("channels", pad.channels);
    line.option("stride", pad.stride, SubsamplePad().stride);
  }
};

// The layers of the body and of the shortcut are on lines of their own.
template <>
struct LayerSyntax<Residual> {
  static constexpr std::string_view word = "residual", name = "block";
  static void fields(auto&, auto&) {}
};

// Names layers in their order: "conv1", "bn1", "conv2" … after a prefix.
class LayerNames {
 public:
  explicit LayerNames(std::string prefix) : prefix_(std::move(prefix)) {}
  std::string next(std::string_view kind) {
    return prefix_ + std::string(kind) + std::to_string(++counts_[kind]);
  }

 private:
  std::string prefix_;
  std::map<std::string_view, int> counts_;
};

inline constexpr std::string_view kShortcut = "shortcut", kRepeat = "repeat", kEnd = "end",
                                  kName = "name", kClassesWord = "classes";

}  // namespace spottrain
