#include "trainer/engine/host_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "trainer/engine/buffer.h"

namespace spottrain {
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

std::size_t count_values(const ModelDescription& model, bool trained_only) {
  std::size_t total = 0;
  for (const TensorInfo& tensor : tensors_of(model)) {
    if (!trained_only || tensor.role != TensorRole::running) total += tensor.size();
  }
  return total;
}

class HostEngine final : public Engine {
 public:
  HostEngine(const ModelDescription& model, const EngineOptions& options,
             const MakeHostNetwork& make_network)
      : options_(checked(options)),
        image_size_(model.input.size()),
        classes_(output_shape(model).channels),
        state_(count_values(model, false)),
        gradient_(count_values(model, true)),
        network_(make_network({state_.data(), gradient_.data()})) {
    for (int i = 0; i < options.optimizer.moments(); ++i) moments_.emplace_back(gradient_.size());
  }

  std::vector<float> state() const override { return copy(state_); }
  std::vector<float> moment(int which) const override { return copy(moments_.at(index(which))); }
  void snapshot(std::span<float> values) const override {
    auto to = std::ranges::copy(state_.span(), values.begin()).out;
    for (const Buffer& moment : moments_) to = std::ranges::copy(moment.span(), to).out;
  }
  void set_state(std::span<const float> state) override {
    set(state_, state, "state");
    network_->state_changed();
  }
  void set_moment(int which, std::span<const float> moment) override {
    set(moments_.at(index(which)), moment, "moment");
  }

  Loss train(const Batch& batch, const Step& step) override {
    const Loss loss = backpropagate(batch, step);
    update(gradient_.data(), step);
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
    update(gradient.data(), step);
  }
  Loss evaluate(const Batch& batch) override {
    const Pass pass = pass_of(batch, {});
    network_->forward(pass, false);
    return network_->loss(pass.images);
  }
  std::vector<float> logits(std::span<const float> images) override;

  std::string numeric_class() const override { return "float32 fma"; }
  std::vector<std::pair<std::string, double>> layer_seconds() override {
    return network_->layer_seconds();
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

  Pass pass_of(const Batch& batch, const Step& step) const;
  Loss backpropagate(const Batch& batch, const Step& step);
  void update(const float* gradient, const Step& step);

  const EngineOptions options_;
  const std::size_t image_size_;
  const int classes_;
  Buffer state_, gradient_;
  std::vector<Buffer> moments_;
  const std::unique_ptr<HostNetwork> network_;
};

Pass HostEngine::pass_of(const Batch& batch, const Step& step) const {
  const std::size_t images = batch.labels.size();
  if (images < 1 || images > static_cast<std::size_t>(options_.batch_size)) {
    throw std::invalid_argument(
        fmt::format("batch of {} images, expected 1 to {}", images, options_.batch_size));
  }
  require_size("images", batch.images.size(), images * image_size_);
  for (const int label : batch.labels) {
    if (label < 0 || label >= classes_) {
      throw std::invalid_argument(fmt::format("class {}, expected 0 to {}", label, classes_ - 1));
    }
  }
  return {.images = static_cast<int>(images),
          .input = batch.images.data(),
          .labels = batch.labels.data(),
          .step = step.index};
}

Loss HostEngine::backpropagate(const Batch& batch, const Step& step) {
  const Pass pass = pass_of(batch, step);
  network_->forward(pass, true);
  network_->backward(pass);
  return network_->loss(pass.images);
}

void HostEngine::update(const float* gradient, const Step& step) {
  OptimizerStep whole = optimizer_step(options_.optimizer, step);
  whole.weights = state_.data();
  whole.gradient = gradient;
  whole.moment1 = moments_[0].data();
  whole.moment2 = moments_.size() > 1 ? moments_[1].data() : nullptr;
  whole.count = gradient_.size();
  network_->optimize(whole);
}

std::vector<float> HostEngine::logits(std::span<const float> images) {
  const std::size_t count = images.size() / image_size_;
  require_size("images", images.size(), count * image_size_);
  const auto classes = static_cast<std::size_t>(classes_);
  const auto most = static_cast<std::size_t>(options_.batch_size);
  std::vector<float> all;
  for (std::size_t first = 0; first < count; first += most) {
    const int now = static_cast<int>(std::min(most, count - first));
    network_->forward({.images = now, .input = images.data() + first * image_size_}, false);
    for (int i = 0; i < now; ++i) {
      all.insert(all.end(), network_->logits(i), network_->logits(i) + classes);
    }
  }
  return all;
}

}  // namespace

std::unique_ptr<Engine> make_host_engine(const ModelDescription& model,
                                         const EngineOptions& options,
                                         const MakeHostNetwork& make_network) {
  return std::make_unique<HostEngine>(model, options, make_network);
}

}  // namespace spottrain
