#include "trainer/eigen/engine.h"

#include <algorithm>
#include <optional>

#include "trainer/eigen/network.h"

namespace spottrain {
namespace eigen {
namespace {

using Values = Eigen::Map<Channels<float>>;

// The formulas are in trainer/engine/engine.h.
void momentum_step(const OptimizerStep& s, bool nesterov) {
  const auto size = static_cast<Index>(s.count);
  const auto all = [size](float x) { return Channels<float>::Constant(size, x); };
  Values w(s.weights, size), velocity(s.moment1, size);
  const Channels<float> g = fma(w, all(s.weight_decay), row_of(s.gradient, size));
  velocity = fma(all(s.momentum), velocity, g);
  Channels<float> direction = velocity;
  if (nesterov) direction = fma(all(s.momentum), velocity, g);
  w = fma(all(-s.learning_rate), direction, w);
}

void adam_step(const OptimizerStep& s, bool decoupled) {
  const auto size = static_cast<Index>(s.count);
  const auto all = [size](float x) { return Channels<float>::Constant(size, x); };
  Values w(s.weights, size), m(s.moment1, size), v(s.moment2, size);
  Channels<float> g = row_of(s.gradient, size);
  if (decoupled) {
    w *= 1.0f - s.learning_rate * s.weight_decay;
  } else {
    g = fma(w, all(s.weight_decay), g);
  }
  m = fma(all(s.beta1), m, (1.0f - s.beta1) * g);
  v = fma(all(s.beta2), v, (1.0f - s.beta2) * (g * g));
  w = fma(all(-s.step_size), m / (v.sqrt() / s.root_correction2 + s.epsilon), w);
}

class EigenNetwork final : public HostNetwork {
 public:
  EigenNetwork(const ModelDescription& model, const EngineOptions& options,
               const HostVectors& vectors)
      : kind_(options.optimizer.kind),
        network_(graph_of(model), options, vectors.state, vectors.gradient) {
    if (!options.profile) return;
    std::vector<std::string> layers = network_.graph().layers();
    optimizer_layer_ = layers.size();
    layers.emplace_back("optimizer");
    profile_.emplace(layers, 1);
  }

  void forward(const Pass& pass, bool training) override {
    network_.forward(pass, training, profile());
  }
  void backward(const Pass& pass) override { network_.backward(pass, profile()); }
  void optimize(const OptimizerStep& step) override;
  Loss loss(int images) const override { return network_.loss(images); }
  const float* logits(int image) const override { return network_.logits(image); }
  std::vector<std::pair<std::string, double>> layer_seconds() override {
    return profile_ ? profile_->take() : std::vector<std::pair<std::string, double>>{};
  }

 private:
  Profile* profile() { return profile_ ? &*profile_ : nullptr; }

  const Optimizer::Kind kind_;
  Network<float> network_;
  std::optional<Profile> profile_;
  std::size_t optimizer_layer_ = 0;
};

void EigenNetwork::optimize(const OptimizerStep& step) {
  using Kind = Optimizer::Kind;
  constexpr std::size_t kPart = 4096;  // stays in the caches
  const auto optimize_part = [&](int i, int) {
    const std::size_t first = static_cast<std::size_t>(i) * kPart;
    const OptimizerStep part = step.part(first, std::min(kPart, step.count - first));
    if (kind_ == Kind::sgd || kind_ == Kind::nesterov) {
      momentum_step(part, kind_ == Kind::nesterov);
    } else {
      adam_step(part, kind_ == Kind::adamw);
    }
  };
  timed(profile(), optimizer_layer_, 0, [&] {
    network_.pool().run(static_cast<int>((step.count + kPart - 1) / kPart), optimize_part);
  });
}

}  // namespace
}  // namespace eigen

std::unique_ptr<Engine> make_eigen_engine(const ModelDescription& model,
                                          const EngineOptions& options) {
  return make_host_engine(model, options, [&](const HostVectors& vectors) {
    return std::make_unique<eigen::EigenNetwork>(model, options, vectors);
  });
}

}  // namespace spottrain
