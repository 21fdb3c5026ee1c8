#include "trainer/engine/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <stdexcept>
#include <type_traits>

namespace spottrain {
namespace {

template <typename Kind>
bool is(const Layer& layer) {
  return std::holds_alternative<Kind>(layer.kind);
}

class GraphBuilder {
 public:
  explicit GraphBuilder(const ModelDescription& model) : tensors_(tensors_of(model)) {
    graph_.values.push_back({.shape = model.input, .wants_gradient = false});
    graph_.logits = chain(model.layers, 0);
    for (const Operation& operation : graph_.operations) widen_borders(operation);
  }
  ModelGraph take() { return std::move(graph_); }

 private:
  using Chain = std::span<const Layer>;

  GraphValue& value(int number) { return graph_.values[static_cast<std::size_t>(number)]; }

  // These functions add the layers' operations on an input, and return the number of the resulting
  // value.
  int chain(Chain layers, int input);
  int residual(const Layer& layer, int input, bool relu);
  int add(const Layer& layer, int input, int addend, bool relu);

  std::vector<Operation::Tensor> tensors_of_layer(const std::string& name) const;
  void widen_borders(const Operation& operation);

  const std::vector<TensorInfo> tensors_;
  int dropouts_ = 0;
  ModelGraph graph_;
};

int GraphBuilder::chain(Chain layers, int input) {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const Layer& layer = layers[i];
    const bool fuses =
        is<Conv>(layer) || is<Dense>(layer) || is<BatchNorm>(layer) || is<Residual>(layer);
    const bool relu = fuses && i + 1 < layers.size() && is<Relu>(layers[i + 1]);
    input = is<Residual>(layer) ? residual(layer, input, relu) : add(layer, input, -1, relu);
    if (relu) ++i;
  }
  return input;
}

// A body's last batch norm adds the shortcut itself.
int GraphBuilder::residual(const Layer& layer, int input, bool relu) {
  const auto& [body, shortcut] = std::get<Residual>(layer.kind);
  const int addend = chain(shortcut, input);
  if (body.empty() || !is<BatchNorm>(body.back())) {
    return add(layer, chain(body, input), addend, relu);
  }
  return add(body.back(), chain(Chain(body).first(body.size() - 1), input), addend, relu);
}

int GraphBuilder::add(const Layer& layer, int input, int addend, bool relu) {
  Operation operation{.name = layer.name,
                      .input = input,
                      .addend = addend,
                      .output = static_cast<int>(graph_.values.size()),
                      .relu = relu,
                      .tensors = {}};
  GraphValue output{.shape = value(input).shape};
  if (is<Residual>(layer)) {
    operation.kind = Add{};
  } else {
    output.shape = output_shape(layer, output.shape);
    operation.tensors = tensors_of_layer(layer.name);
    std::visit(
        [&](const auto& kind) {
          if constexpr (!std::is_same_v<decltype(kind), const Residual&>) operation.kind = kind;
        },
        layer.kind);
  }
  if (is<Dropout>(layer)) operation.dropout = dropouts_++;
  output.wants_gradient = !operation.tensors.empty() || value(input).wants_gradient ||
                          (addend >= 0 && value(addend).wants_gradient);
  graph_.values.push_back(output);
  graph_.operations.push_back(std::move(operation));
  return graph_.operations.back().output;
}

std::vector<Operation::Tensor> GraphBuilder::tensors_of_layer(const std::string& name) const {
  std::vector<Operation::Tensor> own;
  std::size_t first = 0;
  for (std::size_t number = 0; number < tensors_.size(); ++number) {
    const TensorInfo& tensor = tensors_[number];
    if (tensor.name.substr(0, tensor.name.rfind('.')) == name) {
      own.push_back({number, first, tensor.role != TensorRole::running});
    }
    first += tensor.size();
  }
  return own;
}

// Forward, output column c reads input columns c·stride − padding … + kernel − 1. Backward, input
// column c reads output columns ⌈(c + padding − (kernel − 1)) ÷ stride⌉ … ⌊(c + padding) ÷ stride⌋.
void GraphBuilder::widen_borders(const Operation& operation) {
  const auto* conv = std::get_if<Conv>(&operation.kind);
  if (!conv) return;
  GraphValue &input = value(operation.input), &output = value(operation.output);
  const int last_in = input.shape.width - 1, last_out = output.shape.width - 1;
  const int beyond_input = last_out * conv->stride - conv->padding + conv->kernel - 1 - last_in;
  input.border = std::max({input.border, conv->padding, beyond_input});
  if (!input.wants_gradient) return;
  const int before_output = (conv->kernel - 1 - conv->padding + conv->stride - 1) / conv->stride;
  const int beyond_output = (last_in + conv->padding) / conv->stride - last_out;
  output.gradient_border = std::max({output.gradient_border, before_output, beyond_output});
}

}  // namespace

std::vector<std::string> ModelGraph::layers() const {
  std::vector<std::string> names{"input"};
  for (const Operation& operation : operations) names.push_back(operation.name);
  names.emplace_back("loss");
  return names;
}

ModelGraph graph_of(const ModelDescription& model) {
  const ImageShape output = output_shape(model);
  if (output.height != 1 || output.width != 1) {
    throw std::invalid_argument(
        fmt::format("model {}: its last layer makes {}×{} pixels, expected one value a class",
                    model.name, output.height, output.width));
  }
  return GraphBuilder(model).take();
}

}  // namespace spottrain
