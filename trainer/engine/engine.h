// A model on a device: its state, one training step, evaluation. There are three engines with this
// interface: trainer/eigen for every processor, the faster trainer/cpu with the same results on
// x86-64 with AVX2, and trainer/cuda for GPUs. The trainer uses only this interface.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trainer/model/description.h"

namespace spottrain {

// The optimizers, as PyTorch defines them. Sgd: g ← gradient + decay·w; v ← momentum·v + g; w ← w −
// rate·v, or with Nesterov w ← w − rate·(g + momentum·v). Adam: Kingma and Ba, 2015, with g ←
// gradient + decay·w. AdamW: Loshchilov and Hutter, 2019: w ← w − rate·decay·w first, and no decay
// in g.
struct Optimizer {
  enum class Kind { sgd, nesterov, adam, adamw };
  Kind kind = Kind::sgd;
  double momentum = 0.9, weight_decay = 0;
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  // The number of values that each trained parameter has: 1 velocity, or 2 moments.
  int moments() const { return kind == Kind::adam || kind == Kind::adamw ? 2 : 1; }
};

// Images already normalised and augmented, NHWC float32, and their classes.
struct Batch {
  std::span<const float> images;
  std::span<const int> labels;
};

struct Loss {
  double sum = 0;            // of the images' cross-entropies, in nats
  std::int64_t correct = 0;  // images whose largest logit is that of their class
};

// The inputs of a step in addition to state and batch.
struct Step {
  std::int64_t index = 0;  // 0 is the first: keys dropout's random numbers, and Adam's correction
  double learning_rate = 0;
};

// Owns a model's state and the optimizer's moments.
class Engine {
 public:
  virtual ~Engine() = default;

  // Flat vectors on the host, in the order of tensors_of(model). state() has every tensor, and a
  // moment has the trained tensors. On every device the layouts are those of TensorInfo.
  virtual std::vector<float> state() const = 0;
  virtual std::vector<float> moment(int which) const = 0;  // which: 0 … optimizer.moments() − 1
  // Copies state() and then each moment into existing memory. Training stops during this copy.
  virtual void snapshot(std::span<float> values) const;
  virtual void set_state(std::span<const float> state) = 0;
  virtual void set_moment(int which, std::span<const float> moment) = 0;

  // Takes one step of the optimizer on the mean loss of the batch. The batch may have any size up
  // to EngineOptions::batch_size.
  virtual Loss train(const Batch& batch, const Step& step) = 0;
  // train() in two halves, so that a batch can be prepared while another is computed. submit() may
  // return before its step is done. finish() waits for the oldest submitted step. At most two steps
  // are in progress, and then only these two functions may be called.
  virtual void submit(const Batch& batch, const Step& step);
  virtual Loss finish();
  // ∂(mean loss)/∂(trained parameters), flat, without a step of the optimizer. Running means change
  // as in train(). A gang sums these, and tests compare them.
  virtual Loss gradient(const Batch& batch, const Step& step, std::span<float> gradient) = 0;
  // Takes the optimizer's step with a given gradient.
  virtual void apply(std::span<const float> gradient, const Step& step) = 0;
  // The loss without dropout, and with running means in batch norms.
  virtual Loss evaluate(const Batch& batch) = 0;
  // evaluate()'s logits, image by image.
  virtual std::vector<float> logits(std::span<const float> images) = 0;

  // Everything beyond the source that equal bits depend on: "float32 fma" means that every CPU
  // computes the same bits. A checkpoint records it.
  virtual std::string numeric_class() const = 0;
  // Seconds by layer since the last call, forward and backward together, slowest first; empty
  // unless EngineOptions::profile.
  virtual std::vector<std::pair<std::string, double>> layer_seconds() = 0;

 private:
  std::deque<Loss> submitted_;  // for an engine that computes in submit()
};

// The precision of a GPU's arithmetic. Sums, statistics, losses and the optimizer always use
// float32 or more.
// - tf32 rounds the factors of convolutions and dense layers to 10 bits of mantissa.
// - bf16 stores activations and those layers' weights in bfloat16. It also keeps float32 weights
//   for the optimizer.
enum class Precision { fp32, tf32, bf16 };

// The engine on processors. All compute the same bits. The fast engine needs x86-64 with AVX2 and
// FMA. `automatic` is the fast engine if it runs on this machine, else Eigen's.
enum class CpuEngine { automatic, eigen, fast };

struct EngineOptions {
  Optimizer optimizer;
  int batch_size = 128;  // the maximum number of images in a Batch
  CpuEngine cpu = CpuEngine::automatic;
  int threads = 1;         // of the CPU; any number computes the same bits
  std::uint64_t seed = 1;  // of dropout
  bool profile = false;
  Precision precision = Precision::fp32;  // a CPU computes in fp32 only
  bool deterministic = false;             // on a GPU, at some cost; a CPU always is
  int gpu = 0;                            // index in CUDA's order of this machine's GPUs
};

// The initial state for a seed, in tensors_of()'s order. It is the same on every machine.
// - Convs that a batch norm or a ReLU follows: He et al. 2015 (normal, fan-in), zero biases.
// - All other convs and dense layers: uniform ±1/√fan_in for weights and biases.
// - Batch norms: the identity.
std::vector<float> initial_state(const ModelDescription& model, std::uint64_t seed);

}  // namespace spottrain
