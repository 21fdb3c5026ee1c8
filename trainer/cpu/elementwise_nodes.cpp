#include <cmath>

#include "trainer/cpu/nodes.h"
#include "trainer/data/philox.h"

namespace spottrain::cpu {
namespace {

class ReluNode final : public Node {
 public:
  explicit ReluNode(const NodeSetup& setup)
      : Node({setup.input}, setup.output), k_(setup.kernels) {}

  void add_training(Stages& stages) override {
    const Tensor *x = inputs[0]->data.get(), *y = output->data.get();
    const Runs runs = common_runs({&x->layout(), &y->layout()});
    stages.over_images([=, this](int image, const Pass&) {
      for (int run = 0; run < runs.count; ++run) {
        k_.add(runs.size, x->row(image, run), nullptr, true, y->row(image, run));
      }
    });
  }

  void add_backward(Backward& backward) override {
    const Tensor *y = output->data.get(), *g = output->gradient.get();
    const Runs runs = common_runs({&y->layout(), &g->layout()});
    backward.stages.over_images([=, this](int image, const Pass&) {
      for (int run = 0; run < runs.count; ++run) {
        k_.relu_mask(runs.size, y->row(image, run), g->row(image, run));
      }
    });
    pass_on_gradient(k_, backward, *output, *inputs[0]);
  }

 private:
  const Kernels& k_;
};

class AddNode final : public Node {
 public:
  AddNode(const NodeSetup& setup, bool relu)
      : Node({setup.input, setup.addend}, setup.output), k_(setup.kernels), relu_(relu) {}

  void add_training(Stages& stages) override {
    const Tensor *a = inputs[0]->data.get(), *b = inputs[1]->data.get();
    const Tensor* y = output->data.get();
    const Runs runs = common_runs({&a->layout(), &b->layout(), &y->layout()});
    stages.over_images([=, this](int image, const Pass&) {
      for (int run = 0; run < runs.count; ++run) {
        k_.add(runs.size, a->row(image, run), b->row(image, run), relu_, y->row(image, run));
      }
    });
  }

  void add_backward(Backward& backward) override {
    if (relu_) {
      const Tensor *y = output->data.get(), *g = output->gradient.get();
      const Runs runs = common_runs({&y->layout(), &g->layout()});
      backward.stages.over_images([=, this](int image, const Pass&) {
        for (int run = 0; run < runs.count; ++run) {
          k_.relu_mask(runs.size, y->row(image, run), g->row(image, run));
        }
      });
    }
    add_gradient(k_, backward, *output, *inputs[1]);
    pass_on_gradient(k_, backward, *output, *inputs[0]);
  }

 private:
  const Kernels& k_;
  const bool relu_;
};

// Drops element e of image i if a random word is below rate·2³². The word is word e mod 4 of a
// Philox block with the seed as key. The block's counter is (i·⌈size ÷ 4⌉ + e ÷ 4, step, purpose +
// layer·256).
class DropoutNode final : public Node {
 public:
  DropoutNode(const NodeSetup& setup, const Dropout& dropout, int number)
      : Node({setup.input}, setup.output),
        k_(setup.kernels),
        factor_(static_cast<float>(1 / (1 - dropout.rate))),
        size_(setup.input->shape().size()),
        kept_(size_ * static_cast<std::size_t>(setup.batch)) {
    mask_.key[0] = static_cast<std::uint32_t>(setup.seed);
    mask_.key[1] = static_cast<std::uint32_t>(setup.seed >> 32);
    mask_.counter[2] =
        static_cast<std::uint32_t>(Purpose::dropout) + (static_cast<std::uint32_t>(number) << 8);
    mask_.threshold = static_cast<std::uint32_t>(std::ldexp(dropout.rate, 32));
  }

  void add_training(Stages& stages) override {
    stages.over_images([this](int image, const Pass& pass) {
      DropoutMask mask = mask_;
      mask.counter[0] = static_cast<std::uint32_t>(pass.step);
      mask.counter[1] = static_cast<std::uint32_t>(static_cast<std::uint64_t>(pass.step) >> 32);
      const std::size_t first = static_cast<std::size_t>(image) * ((size_ + 3) / 4 * 4);
      k_.dropout_mask(mask, first, size_, kept(image));
      apply(*inputs[0]->data, *output->data, image, factor_, kept(image), false);
    });
  }

  void add_inference(Stages& stages) override {
    stages.over_images([this](int image, const Pass&) {
      apply(*inputs[0]->data, *output->data, image, 1.0f, nullptr, false);
    });
  }

  void add_backward(Backward& backward) override {
    Activation& input = *inputs[0];
    if (!input.wants_gradient) return;
    const bool accumulate = backward.claim(input);
    const Tensor *dx = input.gradient.get(), *g = output->gradient.get();
    backward.stages.over_images([=, this](int image, const Pass&) {
      apply(*g, *dx, image, factor_, kept(image), accumulate);
    });
  }

 private:
  std::uint8_t* kept(int image) { return kept_.data() + static_cast<std::size_t>(image) * size_; }

  void apply(const Tensor& from, const Tensor& to, int image, float factor,
             const std::uint8_t* kept, bool accumulate) const {
    const Runs runs = common_runs({&from.layout(), &to.layout()});
    for (int run = 0; run < runs.count; ++run) {
      const std::uint8_t* own = kept ? kept + static_cast<std::size_t>(run) * runs.size : nullptr;
      k_.scale(runs.size, from.row(image, run), factor, own, accumulate, to.row(image, run));
    }
  }

  const Kernels& k_;
  const float factor_;
  const std::size_t size_;
  DropoutMask mask_{};
  std::vector<std::uint8_t> kept_;
};

}  // namespace

std::unique_ptr<Node> relu_node(const NodeSetup& setup) {
  return std::make_unique<ReluNode>(setup);
}

std::unique_ptr<Node> add_node(const NodeSetup& setup, bool relu) {
  return std::make_unique<AddNode>(setup, relu);
}

std::unique_ptr<Node> dropout_node(const NodeSetup& setup, const Dropout& dropout, int number) {
  return std::make_unique<DropoutNode>(setup, dropout, number);
}

}  // namespace spottrain::cpu
