// A convolution with its bias and ReLU. It reads rows with a border directly, and sums in
// registers.
#include <algorithm>

#include "trainer/cpu/conv_geometry.h"
#include "trainer/cpu/image_sums.h"
#include "trainer/cpu/nodes.h"
#include "trainer/cpu/weights.h"

namespace spottrain::cpu {
namespace {

class ConvNode final : public Node {
 public:
  ConvNode(const NodeSetup& setup, const Conv& conv, bool relu)
      : Node({setup.input}, setup.output),
        k_(setup.kernels),
        conv_(conv),
        relu_(relu),
        inputs_(setup.input->shape().channels),
        outputs_(conv.channels),
        geometry_(conv, setup.input->shape(), setup.output->shape()),
        weights_(setup.tensors[0]),
        bias_(conv.bias ? setup.tensors[1] : nullptr),
        weight_gradient_(setup.gradients[0]),
        bias_gradient_(conv.bias ? setup.gradients[1] : nullptr),
        forward_weights_(geometry_.taps() * inputs_, outputs_),
        backward_weights_(setup.input->wants_gradient ? geometry_.taps() * outputs_ : 0, inputs_),
        padded_bias_(static_cast<std::size_t>(padded(outputs_))),
        bias_sums_(conv.bias ? setup.batch : 0, outputs_),
        weight_sums_(geometry_.taps() * inputs_, outputs_, setup.scratch) {}

  void add_packing(std::vector<std::function<void()>>& tasks) override;
  void add_training(Stages& stages) override;
  void add_backward(Backward& backward) override;

 private:
  void add_input_gradient(Backward& backward);
  void add_weight_gradient(Stages& stages, const Tensor& x, const Tensor& g);
  // Some rows of the weights, which all belong to one row of the kernel.
  struct WeightRows {
    int kernel_row, first, count;
  };
  std::vector<WeightRows> weight_rows() const;
  void sum_image(const Tensor& x, const Tensor& g, int image, int chunk, WeightRows rows) const;

  const Kernels& k_;
  const Conv conv_;
  const bool relu_;
  const int inputs_, outputs_;
  const ConvGeometry geometry_;
  const float *weights_, *bias_;
  float *weight_gradient_, *bias_gradient_;
  PackedWeights forward_weights_, backward_weights_;
  std::vector<float> padded_bias_;
  ImageSums bias_sums_;
  WeightSums weight_sums_;
};

void ConvNode::add_packing(std::vector<std::function<void()>>& tasks) {
  for (int panel = 0; panel < forward_weights_.panels(); ++panel) {
    tasks.push_back([this, panel] { forward_weights_.pack(weights_, panel); });
  }
  if (bias_) tasks.push_back([this] { std::copy_n(bias_, outputs_, padded_bias_.data()); });
  if (!inputs.front()->wants_gradient) return;
  for (int panel = 0; panel < backward_weights_.panels(); ++panel) {
    tasks.push_back([this, panel] {
      for (int row = 0; row < conv_.kernel; ++row) {
        for (int column = 0; column < conv_.kernel; ++column) {
          const std::ptrdiff_t tap = row * conv_.kernel + column;
          backward_weights_.pack_transposed(weights_ + tap * inputs_ * outputs_, outputs_, panel,
                                            geometry_.backward_row(row, column));
        }
      }
    });
  }
}

void ConvNode::add_training(Stages& stages) {
  const Tensor *x = inputs[0]->data.get(), *y = output->data.get();
  const auto groups = geometry_.forward(x->layout());
  stages.over_images([=, this](int image, const Pass&) {
    for (const RowGroup& rows : groups) {
      k_.product({.input = x->row(image, 0) + rows.source,
                  .input_pixel = conv_.stride * x->layout().pixel(),
                  .input_row = rows.source_row,
                  .taps = rows.taps.data(),
                  .tap_count = static_cast<int>(rows.taps.size()),
                  .weights = forward_weights_.data(),
                  .panel_stride = forward_weights_.panel_stride(),
                  .bias = bias_ ? padded_bias_.data() : nullptr,
                  .output = y->row(image, rows.first),
                  .output_pixel = y->layout().pixel(),
                  .output_row = y->layout().row(),
                  .rows = rows.count,
                  .pixels = rows.pixels,
                  .channels = outputs_,
                  .accumulate = false,
                  .relu = relu_});
    }
  });
}

void ConvNode::add_backward(Backward& backward) {
  const Tensor *y = output->data.get(), *g = output->gradient.get();
  if (relu_ || bias_) {
    const Runs runs = common_runs({&output->layout, &output->gradient_layout});
    backward.stages.over_images([=, this](int image, const Pass&) {
      for (int run = 0; relu_ && run < runs.count; ++run) {
        k_.relu_mask(runs.size, y->row(image, run), g->row(image, run));
      }
      if (bias_) k_.sum(runs.area(outputs_), g->rows(image), bias_sums_.start(image));
    });
  }
  if (inputs[0]->wants_gradient) add_input_gradient(backward);
  backward.later(*output, [this, x = inputs[0]->data.get(), g](Stages& stages) {
    add_weight_gradient(stages, *x, *g);
  });
}

void ConvNode::add_input_gradient(Backward& backward) {
  Activation& input = *inputs[0];
  const bool accumulate = backward.claim(input);
  const Tensor *g = output->gradient.get(), *dx = input.gradient.get();
  const auto groups = geometry_.backward(g->layout());
  backward.stages.over_images([=, this](int image, const Pass&) {
    for (const RowGroup& rows : groups) {
      k_.product({.input = g->row(image, 0) + rows.source,
                  .input_pixel = g->layout().pixel(),
                  .input_row = rows.source_row,
                  .taps = rows.taps.data(),
                  .tap_count = static_cast<int>(rows.taps.size()),
                  .weights = backward_weights_.data(),
                  .panel_stride = backward_weights_.panel_stride(),
                  .bias = nullptr,
                  .output = dx->row(image, rows.first) + rows.first_pixel * dx->layout().pixel(),
                  .output_pixel = rows.step * dx->layout().pixel(),
                  .output_row = rows.step * dx->layout().row(),
                  .rows = rows.count,
                  .pixels = rows.pixels,
                  .channels = inputs_,
                  .accumulate = accumulate,
                  .relu = false});
    }
  });
}

std::vector<ConvNode::WeightRows> ConvNode::weight_rows() const {
  constexpr int kMost = 12 * kPanel;
  std::vector<WeightRows> all;
  const int count = conv_.kernel * inputs_;
  for (int row = 0; row < conv_.kernel; ++row) {
    for (int first = 0; first < count; first += kMost) {
      all.push_back({row, first, std::min(kMost, count - first)});
    }
  }
  return all;
}

// Weight (row, column, input, output) += Σ over the output's pixels: the input pixel that the
// weight meets there × the output's gradient.
void ConvNode::sum_image(const Tensor& x, const Tensor& g, int image, int chunk,
                         WeightRows rows) const {
  const auto [first, last] = geometry_.rows_met(rows.kernel_row);
  const Layout &from = x.layout(), &of = g.layout();
  const int top = first * conv_.stride + rows.kernel_row - conv_.padding;
  const int weight_row = rows.kernel_row * conv_.kernel * inputs_ + rows.first;
  k_.outer_sum({.input = x.row(image, top) - conv_.padding * from.pixel() + rows.first,
                .input_pixel = conv_.stride * from.pixel(),
                .input_row = conv_.stride * from.row(),
                .gradient = g.row(image, first),
                .gradient_pixel = of.pixel(),
                .gradient_row = of.row(),
                .rows = last - first,
                .pixels = of.shape.width,
                .inputs = rows.count,
                .channels = outputs_,
                .sum = weight_sums_.row(chunk, weight_row),
                .sum_stride = weight_sums_.stride()});
}

void ConvNode::add_weight_gradient(Stages& stages, const Tensor& x, const Tensor& g) {
  // For small weights, a chunk's images are read once, while they are in the cache. For large
  // weights, one part of the weights is computed at a time.
  std::vector<std::vector<WeightRows>> parts;
  for (const WeightRows rows : weight_rows()) {
    if (parts.empty() || weight_sums_.few_chunks()) parts.emplace_back();
    parts.back().push_back(rows);
  }
  const int count = static_cast<int>(parts.size());
  stages.over_tasks([this, count](int images) { return weight_sums_.chunks(images) * count; },
                    [this, count, parts = std::move(parts), &x, &g](int task, const Pass& pass) {
                      const int chunk = task / count, chunks = weight_sums_.chunks(pass.images);
                      const auto& part = parts[static_cast<std::size_t>(task % count)];
                      for (const WeightRows rows : part) {
                        weight_sums_.clear(chunk,
                                           rows.kernel_row * conv_.kernel * inputs_ + rows.first,
                                           rows.count);
                      }
                      const int last = pass.images * (chunk + 1) / chunks;
                      for (int image = pass.images * chunk / chunks; image < last; ++image) {
                        for (const WeightRows rows : part) sum_image(x, g, image, chunk, rows);
                      }
                    });
  weight_sums_.add_total(k_, stages, weight_gradient_);
  if (!bias_) return;
  stages.once([this](const Pass& pass) {
    std::ranges::transform(bias_sums_.totals(pass.images), bias_gradient_,
                           [](double sum) { return static_cast<float>(sum); });
  });
}

}  // namespace

std::unique_ptr<Node> conv_node(const NodeSetup& setup, const Conv& conv, bool relu) {
  return std::make_unique<ConvNode>(setup, conv, relu);
}

}  // namespace spottrain::cpu
