#include "trainer/cuda/engine.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>

#include "trainer/cuda/collective.h"
#include "trainer/cuda/layer_clock.h"
#include "trainer/cuda/network.h"
#include "trainer/cuda/pass.h"

namespace spottrain::cuda {
namespace {

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

// The memory for the sums over rows of the widest layer.
std::size_t most_partial_sums(const ModelDescription& model) {
  std::size_t most = 1;
  for (const TensorInfo& tensor : tensors_of(model)) most = std::max(most, tensor.shape.back());
  return partial_sums(static_cast<unsigned>(most));
}

class CudaEngine final : public Engine {
 public:
  CudaEngine(const ModelDescription& model, const EngineOptions& options, const GpuGang* gang);
  ~CudaEngine() override;

  std::vector<float> state() const override { return download(state_.data(), layout_.host_all()); }
  std::vector<float> moment(int which) const override {
    return download(moments_.at(static_cast<std::size_t>(which)).data(), layout_.host_trained());
  }
  void snapshot(std::span<float> values) const override;
  void set_state(std::span<const float> state) override;
  void set_moment(int which, std::span<const float> moment) override;

  Loss train(const Batch& batch, const Step& step) override {
    return one_pass(Program::train, batch, step);
  }
  Loss gradient(const Batch& batch, const Step& step, std::span<float> gradient) override;
  void apply(std::span<const float> gradient, const Step& step) override;
  Loss evaluate(const Batch& batch) override {
    share_running_means();
    return one_pass(Program::evaluate, batch, {});
  }
  std::vector<float> logits(std::span<const float> images) override;
  void submit(const Batch& batch, const Step& step) override { begin(Program::train, batch, step); }
  Loss finish() override;

  std::string numeric_class() const override { return numeric_class_; }
  std::vector<std::pair<std::string, double>> layer_seconds() override;

 private:
  // Copies the device's vector to the host, through transfer_.
  void download(const float* device, std::span<float> host) const;
  std::vector<float> download(const float* device, std::size_t size) const;
  void upload(std::span<const float> host, float* device, std::size_t device_size);

  Loss one_pass(Program program, const Batch& batch, const Step& step);
  void begin(Program program, const Batch& batch, const Step& step);
  void require_nothing_under_way() const;
  void require_batch(const Batch& batch) const;
  // Copies rank 0's running means, which are the model's, to all ranks.
  void share_running_means();
  void run(Program program, Share share);
  void enqueue(Program program, Share share);
  void enqueue_passes(Program program, Share share);
  void mark(std::size_t part);
  std::string describe();

  const EngineOptions options_;
  const RankOf rank_;
  const std::size_t image_size_;
  const DeviceInfo device_ = use_device(options_.gpu);
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
  std::unique_ptr<Collective> collective_;  // outlives the graphs; null without a gang
  bool running_means_differ_ = false;       // between the ranks

  std::array<Slot, 2> slots_;
  std::size_t begun_ = 0, finished_ = 0;  // passes; slots are used in turn

  Programs programs_;
  std::optional<LayerClock> clock_;
  std::string numeric_class_;
};

CudaEngine::CudaEngine(const ModelDescription& model, const EngineOptions& options,
                       const GpuGang* gang)
    : options_(checked(options)),
      rank_(gang == nullptr ? RankOf{} : gang->rank),
      image_size_(model.input.size()),
      layout_(model),
      rounded_(element_ == Element::bf16 ? layout_.device_trained() : 0),
      products_(element_ == Element::bf16 ? layout_.device_weights() : 0),
      labels_(largest_share(static_cast<std::size_t>(options.batch_size), rank_.size)),
      context_{stream_,
               libraries_,
               element_,
               options_.precision,
               static_cast<unsigned>(labels_.size()),
               step_.data(),
               options.seed,
               Array<float>(most_partial_sums(model))},
      network_(graph_of(model), layout_, context_,
               {state_.data(), rounded_.size() > 0 ? rounded_.data() : nullptr, gradient_.data(),
                rounded_.size() > 0 ? products_.data() : nullptr}),
      slots_{Slot(context_.batch, image_size_), Slot(context_.batch, image_size_)} {
  for (int i = 0; i < options.optimizer.moments(); ++i) {
    moments_.emplace_back(layout_.device_trained());
  }
  if (options.profile) {
    std::vector<std::string> parts = network_.layers();
    parts.insert(parts.end(), {"optimizer", "sum over ranks"});
    if (gang == nullptr) parts.pop_back();
    clock_.emplace(std::move(parts));
  }
  if (gang != nullptr) {
    collective_ = std::make_unique<Collective>(*gang, options.deterministic);
  }
  numeric_class_ = describe();
}

// An error of the device is not reported here, because it was reported when it was found.
CudaEngine::~CudaEngine() {
  try {
    stream_.synchronize();
  } catch (const std::runtime_error&) {
  }
}

// Equal, deterministic algorithms on equal devices compute equal bits.
std::string CudaEngine::describe() {
  const std::string algorithms = network_.algorithms(context_.batch);
  constexpr std::array<std::string_view, 3> kNames{"float32", "tf32", "bfloat16"};
  return fmt::format("cuda {}, {}, {} (sm_{}), {}{}, algorithms {:016x}",
                     kNames.at(static_cast<std::size_t>(options_.precision)),
                     options_.deterministic ? "deterministic" : "not deterministic", device_.name,
                     device_.capability, libraries_.versions(),
                     collective_ ? ", " + collective_->description() : "",
                     XXH3_64bits(algorithms.data(), algorithms.size()));
}

void CudaEngine::download(const float* device, std::span<float> host) const {
  const bool all = host.size() == layout_.host_all();
  const std::size_t count = all ? layout_.device_all() : layout_.device_trained();
  stream_.copy(transfer_.data(), device, count * sizeof(float));
  stream_.synchronize();
  layout_.to_host({transfer_.data(), count}, host);
}

std::vector<float> CudaEngine::download(const float* device, std::size_t size) const {
  std::vector<float> host(size);
  download(device, host);
  return host;
}

void CudaEngine::snapshot(std::span<float> values) const {
  const std::size_t all = layout_.host_all(), trained = layout_.host_trained();
  require_size("snapshot", values.size(), all + moments_.size() * trained);
  download(state_.data(), values.first(all));
  for (std::size_t i = 0; i < moments_.size(); ++i) {
    download(moments_[i].data(), values.subspan(all + i * trained, trained));
  }
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
  download(gradient_.data(), gradient);
  return loss;
}

void CudaEngine::apply(std::span<const float> gradient, const Step& step) {
  require_size("gradient", gradient.size(), layout_.host_trained());
  require_nothing_under_way();
  upload(gradient, gradient_.data(), layout_.device_trained());
  Slot& slot = slots_[0];
  *slot.step.data() = parameters_of(step, options_.optimizer);
  stream_.copy(step_.data(), slot.step.data(), sizeof(StepParameters));
  run(Program::update, {});
  stream_.synchronize();
}

std::vector<float> CudaEngine::logits(std::span<const float> images) {
  const std::size_t count = images.size() / image_size_, classes = network_.classes();
  require_size("images", images.size(), count * image_size_);
  share_running_means();
  std::vector<float> all;
  const std::vector<int> no_labels(context_.batch, 0);
  PinnedArray<char> copy(context_.batch * classes * size_of(element_));
  for (std::size_t first = 0; first < count; first += context_.batch) {
    const std::size_t now = std::min<std::size_t>(context_.batch, count - first);
    one_pass(
        Program::logits,
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
  const auto most = static_cast<std::size_t>(options_.batch_size);
  if (images < 1 || images > most) {
    throw std::invalid_argument(fmt::format("batch of {} images, expected 1 to {}", images, most));
  }
  require_size("images", batch.images.size(), images * image_size_);
  for (const int label : batch.labels) {
    if (label < 0 || label >= static_cast<int>(network_.classes())) {
      throw std::invalid_argument(
          fmt::format("class {}, expected 0 to {}", label, network_.classes() - 1));
    }
  }
}

Loss CudaEngine::one_pass(Program program, const Batch& batch, const Step& step) {
  require_nothing_under_way();
  begin(program, batch, step);
  return finish();
}

// A separate stream copies the images to the slot's own memory while the previous pass computes.
// All other data are small and wait for the stream.
void CudaEngine::begin(Program program, const Batch& batch, const Step& step) {
  require_batch(batch);
  if (begun_ - finished_ == slots_.size()) {
    throw std::logic_error("two steps are under way, finish one first");
  }
  const Batch own = program == Program::logits ? batch : share_of(batch, rank_, image_size_);
  const Share share{
      static_cast<unsigned>(own.labels.size()),
      static_cast<unsigned>(program == Program::logits ? own.labels.size() : batch.labels.size())};
  Slot& slot = slots_[begun_ % slots_.size()];
  *slot.step.data() = parameters_of(step, options_.optimizer);
  stream_.copy(step_.data(), slot.step.data(), sizeof(StepParameters));
  if (share.own > 0) {
    std::ranges::copy(own.images, slot.images.data());
    std::ranges::copy(own.labels, slot.labels.data());
    copies_.copy(slot.staging.data(), slot.images.data(), own.images.size_bytes());
    slot.uploaded.record(copies_);
    stream_.wait(slot.uploaded);
    stream_.copy(labels_.data(), slot.labels.data(), own.labels.size_bytes());
    convert(context_.launch(), static_cast<unsigned>(own.images.size()), slot.staging.data(),
            network_.input().data->data());
  }
  if (collective_) collective_->begin();
  run(program, share);
  running_means_differ_ |= program == Program::train || program == Program::gradient;
  stream_.copy(slot.sums.data(), sums_.data(), sizeof(LossSums));
  slot.done.record(stream_);
  ++begun_;
}

Loss CudaEngine::finish() {
  if (begun_ == finished_) throw std::logic_error("no step is under way");
  Slot& slot = slots_[finished_++ % slots_.size()];
  slot.done.wait();
  if (collective_) collective_->end();
  return {slot.sums.data()->loss, slot.sums.data()->correct};
}

void CudaEngine::share_running_means() {
  const std::size_t running = layout_.device_all() - layout_.device_trained();
  if (!collective_ || !running_means_differ_ || running == 0) return;
  require_nothing_under_way();
  collective_->begin();
  collective_->broadcast(state_.data() + layout_.device_trained(), running, stream_);
  stream_.synchronize();
  collective_->end();
  running_means_differ_ = false;
}

// A timed pass runs without a graph.
void CudaEngine::run(Program program, Share share) {
  if (clock_) return enqueue(program, share);
  programs_.run(program, share, stream_, [&] { enqueue(program, share); });
}

// Marks where the stream's work for a layer starts, or for one of two parts after the layers.
void CudaEngine::mark(std::size_t part) {
  if (clock_) clock_->mark(stream_, part);
}

void CudaEngine::enqueue(Program program, Share share) {
  const std::size_t optimizer = network_.layers().size(), sums = optimizer + 1, nothing = sums + 1;
  if (program != Program::update) enqueue_passes(program, share);
  if (collective_ && program != Program::update && program != Program::logits) {
    mark(sums);
    const std::size_t gradient = program == Program::evaluate ? 0 : layout_.device_trained();
    collective_->sum(gradient_.data(), gradient, sums_.data(), stream_);
  }
  if (program == Program::train || program == Program::update) {
    mark(optimizer);
    optimizer_step(stream_.raw(), options_.optimizer,
                   {state_.data(), gradient_.data(), moments_[0].data(),
                    moments_.size() > 1 ? moments_[1].data() : nullptr,
                    rounded_.size() > 0 ? rounded_.data() : nullptr,
                    static_cast<unsigned>(layout_.device_trained())},
                   step_.data());
  }
  mark(nothing);
}

// The gradient of the whole batch's mean loss with respect to this share of images, so that the sum
// over ranks is the complete gradient.
void CudaEngine::enqueue_passes(Program program, Share share) {
  const bool training = program == Program::train || program == Program::gradient;
  if (share.own == 0) {
    stream_.clear(gradient_.data(), layout_.device_trained() * sizeof(float));
    stream_.clear(sums_.data(), sizeof(LossSums));
    return;
  }
  const auto watch = [this](std::size_t layer) {
    mark(layer < network_.layers().size() ? layer : layer + 2);
  };
  network_.forward(share.own, training, watch);
  network_.loss(share.own, training ? share.whole : 0, labels_.data(), sums_.data(), watch);
  if (training) network_.backward(share.own, watch);
}

std::vector<std::pair<std::string, double>> CudaEngine::layer_seconds() {
  if (!clock_) return {};
  stream_.synchronize();
  return clock_->take();
}

}  // namespace

std::unique_ptr<Engine> make_engine(const ModelDescription& model, const EngineOptions& options,
                                    const GpuGang* gang) {
  return std::make_unique<CudaEngine>(model, options, gang);
}

}  // namespace spottrain::cuda
