#include "trainer/gang/gang_engine.h"

#include <algorithm>
#include <array>

#include "trainer/engine/share.h"

namespace spottrain {
namespace {

class GangEngine final : public Engine {
 public:
  GangEngine(std::unique_ptr<Engine> local, const ModelDescription& model, Communicator& gang)
      : local_(std::move(local)), gang_(gang), image_size_(model.input.size()) {
    for (const TensorInfo& tensor : tensors_of(model)) {
      (tensor.role == TensorRole::running ? running_ : trained_) += tensor.size();
    }
    gradient_.resize(trained_);
  }

  std::vector<float> state() const override { return local_->state(); }
  std::vector<float> moment(int which) const override { return local_->moment(which); }
  void snapshot(std::span<float> values) const override { local_->snapshot(values); }
  void set_state(std::span<const float> state) override { local_->set_state(state); }
  void set_moment(int which, std::span<const float> moment) override {
    local_->set_moment(which, moment);
  }

  Loss train(const Batch& batch, const Step& step) override {
    const Loss loss = gradient(batch, step, gradient_);
    apply(gradient_, step);
    return loss;
  }
  Loss gradient(const Batch& batch, const Step& step, std::span<float> gradient) override {
    const Batch part = part_of(batch);
    Loss loss;
    if (part.labels.empty()) {
      std::ranges::fill(gradient, 0.0f);
    } else {
      loss = local_->gradient(part, step, gradient);
      const float share =
          static_cast<float>(part.labels.size()) / static_cast<float>(batch.labels.size());
      for (float& value : gradient) value *= share;
    }
    gang_.sum(gradient);
    running_means_differ_ = true;
    return sum(loss);
  }
  void apply(std::span<const float> gradient, const Step& step) override {
    local_->apply(gradient, step);
  }
  Loss evaluate(const Batch& batch) override {
    share_running_means();
    const Batch part = part_of(batch);
    return sum(part.labels.empty() ? Loss{} : local_->evaluate(part));
  }
  std::vector<float> logits(std::span<const float> images) override {
    share_running_means();
    return local_->logits(images);
  }

  std::string numeric_class() const override { return local_->numeric_class(); }
  std::vector<std::pair<std::string, double>> layer_seconds() override {
    return local_->layer_seconds();
  }

 private:
  Batch part_of(const Batch& batch) const {
    return share_of(batch, {.rank = gang_.rank(), .size = gang_.size()}, image_size_);
  }
  Loss sum(const Loss& own) {
    std::array<double, 2> values{own.sum, static_cast<double>(own.correct)};
    gang_.sum(std::span<double>(values));
    return {.sum = values[0], .correct = static_cast<std::int64_t>(values[1])};
  }
  void share_running_means() {
    if (running_ == 0 || !running_means_differ_) return;
    std::vector<float> state = local_->state();
    gang_.broadcast(std::as_writable_bytes(std::span(state).last(running_)));
    local_->set_state(state);
    running_means_differ_ = false;
  }

  std::unique_ptr<Engine> local_;
  Communicator& gang_;
  std::size_t image_size_, trained_ = 0, running_ = 0;
  std::vector<float> gradient_;
  bool running_means_differ_ = false;
};

}  // namespace

std::unique_ptr<Engine> make_gang_engine(std::unique_ptr<Engine> local,
                                         const ModelDescription& model, Communicator& gang) {
  return std::make_unique<GangEngine>(std::move(local), model, gang);
}

}  // namespace spottrain
