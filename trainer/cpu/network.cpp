// A model as nodes with their memory, and the passes over them.
#include <algorithm>
#include <optional>

#include "trainer/cpu/engine.h"
#include "trainer/cpu/nodes.h"
#include "trainer/engine/graph.h"
#include "trainer/engine/host_engine.h"
#include "trainer/engine/node_graph.h"
#include "trainer/engine/softmax_loss.h"

namespace spottrain::cpu {
namespace {

Activation activation_of(const GraphValue& value) {
  return {.layout = {value.shape, value.border},
          .gradient_layout = {value.shape, value.gradient_border},
          .wants_gradient = value.wants_gradient};
}

class Network final : public HostNetwork {
 public:
  Network(const ModelGraph& graph, const EngineOptions& options, const Kernels& kernels,
          const HostVectors& vectors);

  void forward(const Pass& pass, bool training) override;
  void backward(const Pass& pass) override;
  void optimize(const OptimizerStep& step) override;
  void state_changed() override { packed_ = false; }
  Loss loss(int images) const override { return losses_.total(images); }
  const float* logits(int image) const override { return logits_.data->row(image, 0); }
  std::vector<std::pair<std::string, double>> layer_seconds() override {
    return profile_ ? profile_->take() : std::vector<std::pair<std::string, double>>{};
  }

 private:
  NodeSetup setup_of(const Operation& operation, const HostVectors& vectors);
  void plan_forward();
  void add_loss(Stages& stages);
  // The backward pass of the mean loss. The first call allocates the gradients.
  const Stages& backward_stages();
  // Packs weights that have changed into the kernels' order.
  void pack();
  void run(const Stages& stages, const Pass& pass) {
    stages.run(pool_, pass, profile_ ? &*profile_ : nullptr);
  }
  // Runs body(i) for all i below n, and counts the time for this layer of the profile.
  void run_part(int layer, int n, const std::function<void(int)>& body);

  const EngineOptions options_;
  const Kernels& kernels_;
  Scratch scratch_;
  NodeGraph<Activation, Node> graph_;
  const int loss_layer_;
  Activation& logits_;
  SoftmaxLoss losses_;
  std::vector<std::function<void()>> packing_;  // tasks, in any order
  bool packed_ = false;
  Stages training_, inference_;
  std::optional<Backward> backward_;
  ThreadPool pool_;
  std::optional<Profile> profile_;
};

Network::Network(const ModelGraph& graph, const EngineOptions& options, const Kernels& kernels,
                 const HostVectors& vectors)
    : options_(options),
      kernels_(kernels),
      graph_(graph, activation_of,
             [&](const Operation& operation) { return setup_of(operation, vectors); }),
      loss_layer_(static_cast<int>(graph_.loss_layer())),
      logits_(graph_.logits()),
      pool_(options.threads) {
  losses_.resize(options.batch_size, graph.classes());
  plan_forward();
  if (options.profile) {
    std::vector<std::string> layers = graph.layers();
    for (const char* part : {"packing", "optimizer"}) layers.emplace_back(part);
    profile_.emplace(layers, options.threads);
  }
}

NodeSetup Network::setup_of(const Operation& operation, const HostVectors& vectors) {
  NodeSetup setup{.kernels = kernels_,
                  .batch = options_.batch_size,
                  .scratch = scratch_,
                  .seed = options_.seed,
                  .tensors = {},
                  .gradients = {}};
  for (const Operation::Tensor& tensor : operation.tensors) {
    setup.tensors.push_back(vectors.state + tensor.first);
    if (tensor.trained) setup.gradients.push_back(vectors.gradient + tensor.first);
  }
  return setup;
}

void Network::plan_forward() {
  for (Activation& value : graph_.activations()) {
    value.data = std::make_unique<Tensor>(value.layout, options_.batch_size);
  }
  for (Stages* stages : {&training_, &inference_}) {
    const Tensor* to = graph_.input().data.get();
    stages->over_images([to](int image, const Pass& pass) {
      const Layout& layout = to->layout();
      const float* from = pass.input + static_cast<std::size_t>(image) * layout.shape.size();
      for (int run = 0; run < layout.runs(); ++run, from += layout.run_size()) {
        std::copy_n(from, layout.run_size(), to->row(image, run));
      }
    });
  }
  graph_.forward([&](std::size_t layer, Node& node) {
    training_.of_layer(static_cast<int>(layer));
    inference_.of_layer(static_cast<int>(layer));
    node.add_packing(packing_);
    node.add_training(training_);
    node.add_inference(inference_);
  });
  add_loss(training_);
  add_loss(inference_);
}

void Network::add_loss(Stages& stages) {
  stages.of_layer(loss_layer_);
  stages.over_images([this](int image, const Pass& pass) {
    if (pass.labels) losses_.set(image, logits(image), pass.labels[image]);
  });
}

const Stages& Network::backward_stages() {
  if (backward_) return backward_->stages;
  Backward& backward = backward_.emplace(options_.batch_size);
  backward.stages.of_layer(loss_layer_);
  if (!logits_.wants_gradient) return backward.stages;
  backward.claim(logits_);
  backward.stages.over_images([this, g = logits_.gradient.get()](int image, const Pass& pass) {
    losses_.gradient(image, pass.images, g->row(image, 0));
  });
  graph_.backward([&](std::size_t layer, Node& node) {
    backward.stages.of_layer(static_cast<int>(layer));
    node.add_backward(backward);
    backward.release(*node.output);
  });
  backward.flush();
  return backward.stages;
}

void Network::forward(const Pass& pass, bool training) {
  pack();
  run(training ? training_ : inference_, pass);
}

void Network::backward(const Pass& pass) { run(backward_stages(), pass); }

void Network::run_part(int layer, int n, const std::function<void(int)>& body) {
  Stages part;
  part.of_layer(layer);
  part.over_tasks([n](int) { return n; }, [&](int i, const Pass&) { body(i); });
  run(part, {});
}

void Network::pack() {
  if (packed_) return;
  run_part(loss_layer_ + 1, static_cast<int>(packing_.size()),
           [&](int i) { packing_[static_cast<std::size_t>(i)](); });
  packed_ = true;
}

void Network::optimize(const OptimizerStep& step) {
  using Kind = Optimizer::Kind;
  const Kind kind = options_.optimizer.kind;
  const auto kernel = kind == Kind::sgd        ? kernels_.sgd
                      : kind == Kind::nesterov ? kernels_.nesterov
                      : kind == Kind::adam     ? kernels_.adam
                                               : kernels_.adamw;
  constexpr std::size_t kPart = 16384;
  const auto parts = static_cast<int>((step.count + kPart - 1) / kPart);
  run_part(loss_layer_ + 2, parts, [&](int i) {
    const std::size_t first = static_cast<std::size_t>(i) * kPart;
    kernel(step.part(first, std::min(kPart, step.count - first)));
  });
  packed_ = false;
}

}  // namespace

std::unique_ptr<Engine> make_engine(const ModelDescription& model, const EngineOptions& options,
                                    const Kernels& kernels) {
  return make_host_engine(model, options, [&](const HostVectors& vectors) {
    return std::make_unique<Network>(graph_of(model), options, kernels, vectors);
  });
}

}  // namespace spottrain::cpu
