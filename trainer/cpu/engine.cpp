#include "trainer/cpu/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "trainer/cpu/kernels/dispatch.h"
#include "trainer/cpu/network.h"

namespace spottrain {
namespace cpu {
namespace {

EngineOptions checked(const EngineOptions& options) {
  if (options.batch_size < 1) {
    throw std::invalid_argument(
        fmt::format("batch size {}, expected at least 1", options.batch_size));
  }
  if (options.threads < 1) {
    throw std::invalid_argument(fmt::format("{} threads, expected at least 1", options.threads));
  }
  if (options.precision != Precision::fp32) {
    throw std::invalid_argument("precision tf32 or bf16, expected fp32: a CPU has no other");
  }
  return options;
}

std::size_t count(const ModelDescription& model, bool trained_only) {
  std::size_t total = 0;
  for (const TensorInfo& tensor : tensors_of(model)) {
    if (!trained_only || tensor.role != TensorRole::running) total += tensor.size();
  }
  return total;
}

// Repeated squaring: the library's pow differs from machine to machine.
double power(double base, std::int64_t exponent) {
  double result = 1;
  for (; exponent > 0; exponent /= 2, base *= base) {
    if (exponent % 2 != 0) result *= base;
  }
  return result;
}

class CpuEngine final : public Engine {
 public:
  CpuEngine(const ModelDescription& model, const EngineOptions& options, const Kernels& kernels)
      : options_(checked(options)),
        kernels_(kernels),
        image_size_(model.input.size()),
        graph_(graph_of(model)),
        state_(count(model, false)),
        gradient_(count(model, true)),
        network_(graph_, options, kernels, state_.data(), gradient_.data()),
        pool_(options.threads) {
    for (int i = 0; i < options.optimizer.moments(); ++i) moments_.emplace_back(gradient_.size());
    std::vector<std::string> layers = graph_.layers();
    for (const char* part : {"packing", "optimizer"}) layers.emplace_back(part);
    if (options.profile) profile_.emplace(layers, options.threads);
  }

  std::vector<float> state() const override { return copy(state_); }
  std::vector<float> moment(int which) const override { return copy(moments_.at(index(which))); }
  void snapshot(std::span<float> values) const override {
    auto to = std::ranges::copy(state_.span(), values.begin()).out;
    for (const Buffer& moment : moments_) to = std::ranges::copy(moment.span(), to).out;
  }
  void set_state(std::span<const float> state) override {
    set(state_, state, "state");
    packed_ = false;
  }
  void set_moment(int which, std::span<const float> moment) override {
    set(moments_.at(index(which)), moment, "moment");
  }

  Loss train(const Batch& batch, const Step& step) override {
    const Loss loss = backpropagate(batch, step);
    update(gradient_.span(), step);
    return loss;
  }
  Loss gradient(const Batch& batch, const Step& step, std::span<float> gradient) override {
    require_size("gradient", gradient.size(), gradient_.size());
    const Loss loss = backpropagate(batch, step);
    std::ranges::copy(gradient_.span(), gradient.begin());
    return loss;
  }
  void apply(std::span<const float> gradient, const Step& step) override {
    require_size("gradient", gradient.size(), gradient_.size());
    update(gradient, step);
  }
  Loss evaluate(const Batch& batch) override {
    const Pass pass = pass_of(batch, {});
    pack();
    network_.inference().run(pool_, pass, profile());
    return network_.loss(pass.images);
  }
  std::vector<float> logits(std::span<const float> images) override;

  std::string numeric_class() const override { return std::string(kernels_.numeric_class); }
  std::vector<std::pair<std::string, double>> layer_seconds() override {
    return profile_ ? profile_->take() : std::vector<std::pair<std::string, double>>{};
  }

 private:
  static std::size_t index(int which) { return static_cast<std::size_t>(which); }
  static std::vector<float> copy(const Buffer& buffer) {
    return {buffer.span().begin(), buffer.span().end()};
  }
  static void require_size(std::string_view what, std::size_t found, std::size_t expected) {
    if (found == expected) return;
    throw std::invalid_argument(fmt::format("{} of {} values, expected {}", what, found, expected));
  }
  static void set(Buffer& buffer, std::span<const float> values, std::string_view what) {
    require_size(what, values.size(), buffer.size());
    std::ranges::copy(values, buffer.data());
  }
  Profile* profile() { return profile_ ? &*profile_ : nullptr; }

  Pass pass_of(const Batch& batch, const Step& step) const;
  Loss backpropagate(const Batch& batch, const Step& step);
  void pack();
  void update(std::span<const float> gradient, const Step& step);
  // Runs body(i, thread) for all i below n, as the last but `from_last` of the profile's layers.
  void run_part(int n, int from_last, std::function<void(int)> body);

  const EngineOptions options_;
  const Kernels& kernels_;
  const std::size_t image_size_;
  const ModelGraph graph_;
  Buffer state_, gradient_;
  std::vector<Buffer> moments_;
  Network network_;
  ThreadPool pool_;
  std::optional<Profile> profile_;
  bool packed_ = false;
};

Pass CpuEngine::pass_of(const Batch& batch, const Step& step) const {
  const std::size_t images = batch.labels.size();
  if (images < 1 || images > static_cast<std::size_t>(options_.batch_size)) {
    throw std::invalid_argument(
        fmt::format("batch of {} images, expected 1 to {}", images, options_.batch_size));
  }
  require_size("images", batch.images.size(), images * image_size_);
  for (const int label : batch.labels) {
    if (label < 0 || label >= network_.classes()) {
      throw std::invalid_argument(
          fmt::format("class {}, expected 0 to {}", label, network_.classes() - 1));
    }
  }
  return {.images = static_cast<int>(images),
          .input = batch.images.data(),
          .labels = batch.labels.data(),
          .step = step.index};
}

Loss CpuEngine::backpropagate(const Batch& batch, const Step& step) {
  const Pass pass = pass_of(batch, step);
  pack();
  network_.training().run(pool_, pass, profile());
  network_.backward().run(pool_, pass, profile());
  return network_.loss(pass.images);
}

void CpuEngine::run_part(int n, int from_last, std::function<void(int)> body) {
  Stages part;
  part.of_layer(static_cast<int>(graph_.layers().size()) + 1 - from_last);
  part.over_tasks([n](int) { return n; }, [&](int i, const Pass&) { body(i); });
  part.run(pool_, {}, profile());
}

void CpuEngine::pack() {
  if (packed_) return;
  const auto& tasks = network_.packing();
  run_part(static_cast<int>(tasks.size()), 1, [&](int i) { tasks[static_cast<std::size_t>(i)](); });
  packed_ = true;
}

void CpuEngine::update(std::span<const float> gradient, const Step& step) {
  const Optimizer& optimizer = options_.optimizer;
  const double correction1 = 1 - power(optimizer.beta1, step.index + 1);
  const double correction2 = 1 - power(optimizer.beta2, step.index + 1);
  const OptimizerStep whole{.weights = state_.data(),
                            .gradient = gradient.data(),
                            .moment1 = moments_[0].data(),
                            .moment2 = moments_.size() > 1 ? moments_[1].data() : nullptr,
                            .count = gradient.size(),
                            .learning_rate = static_cast<float>(step.learning_rate),
                            .momentum = static_cast<float>(optimizer.momentum),
                            .weight_decay = static_cast<float>(optimizer.weight_decay),
                            .beta1 = static_cast<float>(optimizer.beta1),
                            .beta2 = static_cast<float>(optimizer.beta2),
                            .epsilon = static_cast<float>(optimizer.epsilon),
                            .step_size = static_cast<float>(step.learning_rate / correction1),
                            .root_correction2 = static_cast<float>(std::sqrt(correction2))};
  const auto kernel = optimizer.kind == Optimizer::Kind::sgd        ? kernels_.sgd
                      : optimizer.kind == Optimizer::Kind::nesterov ? kernels_.nesterov
                      : optimizer.kind == Optimizer::Kind::adam     ? kernels_.adam
                                                                    : kernels_.adamw;
  constexpr std::size_t kPart = 16384;
  const auto parts = static_cast<int>((gradient.size() + kPart - 1) / kPart);
  run_part(parts, 0, [&](int i) {
    const std::size_t first = static_cast<std::size_t>(i) * kPart;
    OptimizerStep part = whole;
    part.weights += first;
    part.gradient += first;
    part.moment1 += first;
    if (part.moment2) part.moment2 += first;
    part.count = std::min(kPart, whole.count - first);
    kernel(part);
  });
  packed_ = false;
}

std::vector<float> CpuEngine::logits(std::span<const float> images) {
  const std::size_t count = images.size() / image_size_;
  require_size("images", images.size(), count * image_size_);
  const auto classes = static_cast<std::size_t>(network_.classes());
  const auto most = static_cast<std::size_t>(options_.batch_size);
  std::vector<float> all;
  pack();
  for (std::size_t first = 0; first < count; first += most) {
    const int now = static_cast<int>(std::min(most, count - first));
    network_.inference().run(pool_, {.images = now, .input = images.data() + first * image_size_},
                             profile());
    for (int i = 0; i < now; ++i) {
      all.insert(all.end(), network_.logits(i), network_.logits(i) + classes);
    }
  }
  return all;
}

}  // namespace

std::unique_ptr<Engine> make_engine(const ModelDescription& model, const EngineOptions& options,
                                    const Kernels& kernels) {
  return std::make_unique<CpuEngine>(model, options, kernels);
}

}  // namespace cpu

std::unique_ptr<Engine> make_cpu_engine(const ModelDescription& model,
                                        const EngineOptions& options) {
  return cpu::make_engine(model, options, cpu::choose_kernels());
}

}  // namespace spottrain
