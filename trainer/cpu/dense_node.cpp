// A fully connected layer with its bias and ReLU. Its input is one run of values an image. If the
// input has a border, it is one run a row.
#include <algorithm>

#include "trainer/cpu/image_sums.h"
#include "trainer/cpu/nodes.h"

namespace spottrain::cpu {
namespace {

class DenseNode final : public Node {
 public:
  DenseNode(const NodeSetup& setup, const Dense& dense, bool relu)
      : Node({setup.input}, setup.output),
        k_(setup.kernels),
        relu_(relu),
        inputs_(static_cast<int>(setup.input->shape().size())),
        outputs_(dense.outputs),
        weights_(setup.tensors[0]),
        bias_(setup.tensors[1]),
        weight_gradient_(setup.gradients[0]),
        bias_gradient_(setup.gradients[1]),
        forward_weights_(inputs_, outputs_),
        padded_bias_(static_cast<std::size_t>(padded(outputs_))),
        bias_sums_(setup.batch, outputs_),
        weight_sums_(inputs_, outputs_, setup.scratch) {}

  void add_packing(std::vector<std::function<void()>>& tasks) override;
  void add_training(Stages& stages) override;
  void add_backward(Backward& backward) override;

 private:
  void add_input_gradient(Backward& backward);
  void add_weight_gradient(Stages& stages, const Tensor& x, const Tensor& g);

  const Kernels& k_;
  const bool relu_;
  const int inputs_, outputs_;
  const float *weights_, *bias_;
  float *weight_gradient_, *bias_gradient_;
  PackedWeights forward_weights_;
  std::vector<PackedWeights> backward_weights_;  // one a run of the input's gradient
  std::vector<float> padded_bias_;
  ImageSums bias_sums_;
  WeightSums weight_sums_;
};

void DenseNode::add_packing(std::vector<std::function<void()>>& tasks) {
  for (int panel = 0; panel < forward_weights_.panels(); ++panel) {
    tasks.push_back([this, panel] { forward_weights_.pack(weights_, panel); });
  }
  tasks.push_back([this] { std::copy_n(bias_, outputs_, padded_bias_.data()); });
  if (!inputs[0]->wants_gradient) return;
  const Layout& dx = inputs[0]->gradient_layout;
  const int run_size = static_cast<int>(dx.run_size());
  for (int run = 0; run < dx.runs(); ++run) {
    backward_weights_.emplace_back(outputs_, run_size);
    for (int first = 0; first < panels_of(run_size); first += kPanel) {
      tasks.push_back([=, this] {
        PackedWeights& packed = backward_weights_[static_cast<std::size_t>(run)];
        const float* from = weights_ + std::ptrdiff_t{run} * run_size * outputs_;
        for (int panel = first; panel < std::min(packed.panels(), first + kPanel); ++panel) {
          packed.pack_transposed(from, outputs_, panel, 0);
        }
      });
    }
  }
}

void DenseNode::add_training(Stages& stages) {
  const Tensor *x = inputs[0]->data.get(), *y = output->data.get();
  const Layout& layout = x->layout();
  std::vector<Tap> taps;
  for (int run = 0; run < layout.runs(); ++run) {
    const int size = static_cast<int>(layout.run_size());
    for (int first = 0; first < size; first += kLongestProduct) {
      taps.push_back({run * layout.row() + first, std::ptrdiff_t{run} * size + first,
                      std::min(kLongestProduct, size - first)});
    }
  }
  constexpr int kPanels = 2;
  const int tasks = (forward_weights_.panels() + kPanels - 1) / kPanels;
  stages.over_tasks(
      [tasks](int) { return tasks; },
      [=, this, taps = std::move(taps)](int task, const Pass& pass) {
        const int panel = task * kPanels;
        for (std::size_t t = 0; t < taps.size(); ++t) {
          k_.product({.input = x->row(0, 0),
                      .input_pixel = x->layout().image(),
                      .input_row = 0,
                      .taps = &taps[t],
                      .tap_count = 1,
                      .weights = forward_weights_.data() + panel * forward_weights_.panel_stride(),
                      .panel_stride = forward_weights_.panel_stride(),
                      .bias = t == 0 ? padded_bias_.data() + panel * kPanel : nullptr,
                      .output = y->row(0, 0) + panel * kPanel,
                      .output_pixel = y->layout().image(),
                      .output_row = 0,
                      .rows = 1,
                      .pixels = pass.images,
                      .channels = std::min(kPanels * kPanel, outputs_ - panel * kPanel),
                      .accumulate = t > 0,
                      .relu = relu_ && t + 1 == taps.size()});
        }
      });
}

void DenseNode::add_backward(Backward& backward) {
  const Tensor *y = output->data.get(), *g = output->gradient.get();
  backward.stages.over_images([=, this](int image, const Pass&) {
    const auto outputs = static_cast<std::size_t>(outputs_);
    if (relu_) k_.relu_mask(outputs, y->row(image, 0), g->row(image, 0));
    k_.sum({1, 1, outputs_}, g->rows(image), bias_sums_.start(image));
  });
  if (inputs[0]->wants_gradient) add_input_gradient(backward);
  backward.later(*output, [this, x = inputs[0]->data.get(), g](Stages& stages) {
    add_weight_gradient(stages, *x, *g);
  });
}

void DenseNode::add_input_gradient(Backward& backward) {
  Activation& input = *inputs[0];
  const bool accumulate = backward.claim(input);
  const Tensor *g = output->gradient.get(), *dx = input.gradient.get();
  const Tap all{0, 0, outputs_};
  constexpr int kPanels = 16;
  const int size = static_cast<int>(dx->layout().run_size());
  const int tasks_a_run = (panels_of(size) + kPanels - 1) / kPanels;
  const int tasks = tasks_a_run * dx->layout().runs();
  backward.stages.over_tasks(
      [tasks](int) { return tasks; },
      [=, this](int task, const Pass& pass) {
        const int run = task / tasks_a_run, panel = task % tasks_a_run * kPanels;
        const PackedWeights& weights = backward_weights_[static_cast<std::size_t>(run)];
        k_.product({.input = g->row(0, 0),
                    .input_pixel = g->layout().image(),
                    .input_row = 0,
                    .taps = &all,
                    .tap_count = 1,
                    .weights = weights.data() + panel * weights.panel_stride(),
                    .panel_stride = weights.panel_stride(),
                    .bias = nullptr,
                    .output = dx->row(0, run) + panel * kPanel,
                    .output_pixel = dx->layout().image(),
                    .output_row = 0,
                    .rows = 1,
                    .pixels = pass.images,
                    .channels = std::min(kPanels * kPanel, size - panel * kPanel),
                    .accumulate = accumulate,
                    .relu = false});
      });
}

void DenseNode::add_weight_gradient(Stages& stages, const Tensor& x, const Tensor& g) {
  constexpr int kRows = 16 * kPanel;
  const int size = static_cast<int>(x.layout().run_size());
  const int parts_a_run = (size + kRows - 1) / kRows, parts = parts_a_run * x.layout().runs();
  stages.over_tasks([this, parts](int images) { return weight_sums_.chunks(images) * parts; },
                    [=, this, &x, &g](int task, const Pass& pass) {
                      const int chunk = task / parts, chunks = weight_sums_.chunks(pass.images);
                      const int run = task % parts / parts_a_run,
                                first = task % parts_a_run * kRows;
                      const int row = run * size + first, rows = std::min(kRows, size - first);
                      const int image = pass.images * chunk / chunks;
                      weight_sums_.clear(chunk, row, rows);
                      k_.outer_sum({.input = x.row(image, run) + first,
                                    .input_pixel = x.layout().image(),
                                    .input_row = 0,
                                    .gradient = g.row(image, 0),
                                    .gradient_pixel = g.layout().image(),
                                    .gradient_row = 0,
                                    .rows = 1,
                                    .pixels = pass.images * (chunk + 1) / chunks - image,
                                    .inputs = rows,
                                    .channels = outputs_,
                                    .sum = weight_sums_.row(chunk, row),
                                    .sum_stride = weight_sums_.stride()});
                    });
  weight_sums_.add_total(k_, stages, weight_gradient_);
  stages.once([this](const Pass& pass) {
    std::ranges::transform(bias_sums_.totals(pass.images), bias_gradient_,
                           [](double sum) { return static_cast<float>(sum); });
  });
}

}  // namespace

std::unique_ptr<Node> dense_node(const NodeSetup& setup, const Dense& dense, bool relu) {
  return std::make_unique<DenseNode>(setup, dense, relu);
}

}  // namespace spottrain::cpu
