#include "trainer/cuda/engine.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>

#include "trainer/cuda/layer_clock.h"
#include "trainer/cuda/network.h"

namespace spottrain::cuda {
namespace {

// What the device is asked to do as a whole; with the number of images, the key of a graph.
enum class Program { train, gradient, evaluate, update };

EngineOptions checked(const EngineOptions& options) {
  if (options.batch_size < 1) {
    throw std::invalid_argument(
        fmt::format("batch size {}, expected at least 1", options.batch_size));
  }
  return options;
}

void require_size(std::string_view what, std::size_t found, std::size_t expected) {
  if (found == expected) return;
  throw std::invalid_argument(fmt::format("{} of {} values, expected {}", what, found, expected));
}

Element element_of(Precision precision) {
  return precision == Precision::bf16 ? Element::bf16 : Element::f32;
}

// Room for the sums over rows of the widest layer.
std::size_t most_partial_sums(const ModelDescription& model) {
  std::size_t most = 1;
  for (const TensorInfo& tensor : tensors_of(model)) most = std::max(most, tensor.shape.back());
  return partial_sums(static_cast<unsigned>(most));
}

// The host's side of one pass, and what it brings to the device while another pass computes.
struct Slot {
  Slot(std::size_t batch, std::size_t image_size)
      : images(batch * image_size), labels(batch), staging(batch * image_size) {}

  PinnedArray<float> images;
  PinnedArray<int> labels;
  PinnedArray<StepParameters> step{1};
  PinnedArray<LossSums> sums{1};
  Array<float> staging;
  Event uploaded, done;
};

class CudaEngine final : public Engine {
 public:
  CudaEngine(const ModelDescription& model, const EngineOptions& options);
  ~CudaEngine() override { stream_.synchronize(); }

  std::vector<float> state() const override { return download(state_.data(), layout_.host_all()); }
  std::vector<float> moment(int which) const override {
    return download(moments_.at(static_cast<std::size_t>(which)).data(), layout_.host_trained());
  }
  void set_state(std::span<const float> state) override;
  void set_moment(int which, std::span<const float> moment) override;

  Loss train(const Batch& batch, const Step& step) override {
    return one_pass(Program::train, batch, step);
  }
  Loss gradient(const Batch& batch, const Step& step, std::span<float> gradient) override;
  void apply(std::span<const float> gradient, const Step& step) override;
  Loss evaluate(const Batch& batch) override { return one_pass(Program::evaluate, batch, {}); }
  std::vector<float> logits(std::span<const float> images) override;
  void submit(const Batch& batch, const Step& step) override { begin(Program::train, batch, step); }
  Loss finish() override;

  std::string numeric_class() const override { return numeric_class_; }
  std::vector<std::pair<std::string, double>> layer_seconds() override;

 private:
  // The device's vector → the host's, of `size` values.
  std::vector<float> download(const float* device, std::size_t size) const;
  void upload(std::span<const float> host, float* device, std::size_t device_size);

  Loss one_pass(Program program, const Batch& batch, const Step& step);
  void begin(Program program, const Batch& batch, const Step& step);
  void require_nothing_under_way() const;
  void require_batch(const Batch& batch) const;
  StepParameters parameters_of(const Step& step) const;
  // Enqueues the program: the first time as it is, then as a graph.
  void run(Program program, unsigned images);
  void enqueue(Program program, unsigned images);
  std::string describe();

  const EngineOptions options_;
  const std::size_t image_size_;
  const DeviceInfo device_ = use_device();
  const ParameterLayout layout_;
  const Element element_ = element_of(options_.precision);
  Stream stream_, copies_;
  Libraries libraries_{stream_, options_, device_};
  Array<float> state_{layout_.device_all()}, gradient_{layout_.device_trained()};
  std::vector<Array<float>> moments_;
  PinnedArray<float> transfer_{layout_.device_all()};
  Array<Bf16> rounded_, products_;
  Array<int> labels_;
  Array<StepParameters> step_{1};
  Array<LossSums> sums_{1};
  Context context_;
  Network network_;

  std::array<Slot, 2> slots_;
  std::size_t begun_ = 0, finished_ = 0;  // passes; slots are used in turn

  struct Repeated {
    bool ran = false;
    std::optional<Graph> graph;
  };
  std::map<std::pair<Program, unsigned>, Repeated> programs_;
  std::optional<LayerClock> clock_;
  std::string numeric_class_;
};

CudaEngine::CudaEngine(const ModelDescription& model, const EngineOptions& options)
    : options_(checked(options)),
      image_size_(model.input.size()),
      layout_(model),
      rounded_(element_ == Element::bf16 ? layout_.device_trained() : 0),
      products_(element_ == Element::bf16 ? layout_.device_weights() : 0),
      labels_(static_cast<std::size_t>(options.batch_size)),
      context_{stream_,
               libraries_,
               element_,
               static_cast<unsigned>(options.batch_size),
               step_.data(),
               options.seed,
               Array<float>(most_partial_sums(model))},
      network_(model, layout_, context_,
               {state_.data(), rounded_.size() > 0 ? rounded_.data() : nullptr, gradient_.data(),
                rounded_.size() > 0 ? products_.data() : nullptr}),
      slots_{Slot(context_.batch, image_size_), Slot(context_.batch, image_size_)} {
  for (int i = 0; i < options.optimizer.moments(); ++i) {
    moments_.emplace_back(layout_.device_trained());
  }
  if (options.profile) {
    std::vector<std::string> parts = network_.layers();
    parts.emplace_back("optimizer");
    clock_.emplace(std::move(parts));
  }
  numeric_class_ = describe();
}

// Equal algorithms on equal devices compute equal bits, if they are deterministic.
std::string CudaEngine::describe() {
  const std::string algorithms = network_.algorithms(context_.batch);
  constexpr std::array<std::string_view, 3> kNames{"float32", "tf32", "bfloat16"};
  return fmt::format("cuda {}, {}, {} (sm_{}), {}, algorithms {:016x}",
                     kNames.at(static_cast<std::size_t>(options_.precision)),
                     options_.deterministic ? "deterministic" : "not deterministic", device_.name,
                     device_.capability, libraries_.versions(),
                     XXH3_64bits(algorithms.data(), algorithms.size()));
}

std::vector<float> CudaEngine::download(const float* device, std::size_t size) const {
  const bool all = size == layout_.host_all();
  const std::size_t count = all ? layout_.device_all() : layout_.device_trained();
  stream_.copy(transfer_.data(), device, count * sizeof(float));
  stream_.synchronize();
  std::vector<float> host(size);
  layout_.to_host({transfer_.data(), count}, host);
  return host;
}

void CudaEngine::upload(std::span<const float> host, float* device, std::size_t device_size) {
  std::fill_n(transfer_.data(), device_size, 0.0f);
  layout_.to_device(host, {transfer_.data(), device_size});
  stream_.copy(device, transfer_.data(), device_size * sizeof(float));
  stream_.synchronize();
}

void CudaEngine::set_state(std::span<const float> state) {
  require_size("state", state.size(), layout_.host_all());
  upload(state, state_.data(), layout_.device_all());
  if (rounded_.size() > 0) {
    convert(context_.launch(), static_cast<unsigned>(rounded_.size()), state_.data(),
            rounded_.data());
  }
}

void CudaEngine::set_moment(int which, std::span<const float> moment) {
  require_size("moment", moment.size(), layout_.host_trained());
  upload(moment, moments_.at(static_cast<std::size_t>(which)).data(), layout_.device_trained());
}

Loss CudaEngine::gradient(const Batch& batch, const Step& step, std::span<float> gradient) {
  require_size("gradient", gradient.size(), layout_.host_trained());
  const Loss loss = one_pass(Program::gradient, batch, step);
  std::ranges::copy(download(gradient_.data(), layout_.host_trained()), gradient.begin());
  return loss;
}

void CudaEngine::apply(std::span<const float> gradient, const Step& step) {
  require_size("gradient", gradient.size(), layout_.host_trained());
  require_nothing_under_way();
  upload(gradient, gradient_.data(), layout_.device_trained());
  Slot& slot = slots_[0];
  *slot.step.data() = parameters_of(step);
  stream_.copy(step_.data(), slot.step.data(), sizeof(StepParameters));
  run(Program::update, 0);
  stream_.synchronize();
}

std::vector<float> CudaEngine::logits(std::span<const float> images) {
  const std::size_t count = images.size() / image_size_, classes = network_.classes();
  require_size("images", images.size(), count * image_size_);
  std::vector<float> all;
  const std::vector<int> no_labels(context_.batch, 0);
  PinnedArray<char> copy(context_.batch * classes * size_of(element_));
  for (std::size_t first = 0; first < count; first += context_.batch) {
    const std::size_t now = std::min<std::size_t>(context_.batch, count - first);
    one_pass(
        Program::evaluate,
        {images.subspan(first * image_size_, now * image_size_), std::span(no_labels).first(now)},
        {});
    stream_.copy(copy.data(), network_.logits().data->data(), now * classes * size_of(element_));
    stream_.synchronize();
    for (std::size_t i = 0; i < now * classes; ++i) {
      all.push_back(element_ == Element::f32
                        ? reinterpret_cast<const float*>(copy.data())[i]
                        : to_float(reinterpret_cast<const Bf16*>(copy.data())[i]));
    }
  }
  return all;
}

void CudaEngine::require_nothing_under_way() const {
  if (begun_ == finished_) return;
  throw std::logic_error("steps that were submitted are not finished");
}

void CudaEngine::require_batch(const Batch& batch) const {
  const std::size_t images = batch.labels.size();
  if (images < 1 || images > context_.batch) {
    throw std::invalid_argument(
        fmt::format("batch of {} images, expected 1 to {}", images, context_.batch));
  }
  require_size("images", batch.images.size(), images * image_size_);
  for (const int label : batch.labels) {
    if (label < 0 || label >= static_cast<int>(network_.classes())) {
      throw std::invalid_argument(
          fmt::format("class {}, expected 0 to {}", label, network_.classes() - 1));
    }
  }
}

StepParameters CudaEngine::parameters_of(const Step& step) const {
  const Optimizer& optimizer = options_.optimizer;
  const auto steps = static_cast<double>(step.index + 1);
  const double correction1 = 1 - std::pow(optimizer.beta1, steps);
  const double correction2 = 1 - std::pow(optimizer.beta2, steps);
  return {static_cast<std::uint64_t>(step.index), static_cast<float>(step.learning_rate),
          static_cast<float>(step.learning_rate / correction1),
          static_cast<float>(std::sqrt(correction2))};
}

Loss CudaEngine::one_pass(Program program, const Batch& batch, const Step& step) {
  require_nothing_under_way();
  begin(program, batch, step);
  return finish();
}

// The images go to the slot's own memory by a stream of their own, while the pass before computes;
// everything else is small and waits its turn.
void CudaEngine::begin(Program program, const Batch& batch, const Step& step) {
  require_batch(batch);
  if (begun_ - finished_ == slots_.size()) {
    throw std::logic_error("two steps are under way, finish one first");
  }
  Slot& slot = slots_[begun_ % slots_.size()];
  std::ranges::copy(batch.images, slot.images.data());
  std::ranges::copy(batch.labels, slot.labels.data());
  *slot.step.data() = parameters_of(step);
  copies_.copy(slot.staging.data(), slot.images.data(), batch.images.size_bytes());
  slot.uploaded.record(copies_);

  stream_.wait(slot.uploaded);
  stream_.copy(labels_.data(), slot.labels.data(), batch.labels.size_bytes());
  stream_.copy(step_.data(), slot.step.data(), sizeof(StepParameters));
  convert(context_.launch(), static_cast<unsigned>(batch.images.size()), slot.staging.data(),
          network_.input().data->data());
  run(program, static_cast<unsigned>(batch.labels.size()));
  stream_.copy(slot.sums.data(), sums_.data(), sizeof(LossSums));
  slot.done.record(stream_);
  ++begun_;
}

Loss CudaEngine::finish() {
  if (begun_ == finished_) throw std::logic_error("no step is under way");
  Slot& slot = slots_[finished_++ % slots_.size()];
  slot.done.wait();
  return {slot.sums.data()->loss, slot.sums.data()->correct};
}

// The first time plans are made and memory is taken, which a graph cannot hold.
void CudaEngine::run(Program program, unsigned images) {
  Repeated& repeated = programs_[{program, images}];
  if (!repeated.ran || clock_) {
    enqueue(program, images);
    repeated.ran = true;
    return;
  }
  if (!repeated.graph) repeated.graph.emplace(stream_, [&] { enqueue(program, images); });
  repeated.graph->launch(stream_);
}

void CudaEngine::enqueue(Program program, unsigned images) {
  const std::size_t optimizer = network_.layers().size(), nothing = optimizer + 1;
  const auto watch = [&](std::size_t layer) {
    if (clock_) clock_->mark(stream_, layer == optimizer ? nothing : layer);
  };
  if (program != Program::update) {
    const bool training = program != Program::evaluate;
    network_.forward(images, training, watch);
    network_.loss(images, labels_.data(), sums_.data(), training, watch);
    if (training) network_.backward(images, watch);
  }
  if (program != Program::train && program != Program::update) return;
  if (clock_) clock_->mark(stream_, optimizer);
  optimizer_step(stream_.raw(), options_.optimizer,
                 {state_.data(), gradient_.data(), moments_[0].data(),
                  moments_.size() > 1 ? moments_[1].data() : nullptr,
                  rounded_.size() > 0 ? rounded_.data() : nullptr,
                  static_cast<unsigned>(layout_.device_trained())},
                 step_.data());
  watch(optimizer);
}

std::vector<std::pair<std::string, double>> CudaEngine::layer_seconds() {
  if (!clock_) return {};
  stream_.synchronize();
  return clock_->take();
}

}  // namespace

std::unique_ptr<Engine> make_engine(const ModelDescription& model, const EngineOptions& options) {
  return std::make_unique<CudaEngine>(model, options);
}

}  // namespace spottrain::cuda
