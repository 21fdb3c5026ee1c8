// The layers without weights.
#include <array>
#include <cmath>
#include <type_traits>

#include "trainer/data/philox.h"
#include "trainer/eigen/layer_parts.h"

namespace spottrain::eigen {
namespace {

// max(x, 0), if it is not part of another layer.
template <typename Scalar>
class ReluLayer final : public Layer<Scalar> {
 public:
  explicit ReluLayer(const LayerSetup<Scalar>& setup) : x_(setup.input), y_(setup.output) {}
  void forward(const Work& work) override {
    work.for_each_image([&](int n) {
      y_.pixels(n) = x_.pixels(n);
      rectify(y_.pixels(n));
    });
  }
  void backward(const Work& work) override {
    work.for_each_image([&](int n) { mask_gradient(y_, n); });
    pass_on(work, y_, x_);
  }

 private:
  Activation<Scalar>&x_, &y_;
};

// x + addend, and the ReLU after it.
template <typename Scalar>
class AddLayer final : public Layer<Scalar> {
 public:
  explicit AddLayer(const LayerSetup<Scalar>& setup)
      : relu_(setup.operation.relu), x_(setup.input), addend_(*setup.addend), y_(setup.output) {}
  void forward(const Work& work) override {
    work.for_each_image([&](int n) {
      y_.pixels(n) = x_.pixels(n) + addend_.pixels(n);
      if (relu_) rectify(y_.pixels(n));
    });
  }
  void backward(const Work& work) override {
    if (relu_) work.for_each_image([&](int n) { mask_gradient(y_, n); });
    pass_on(work, y_, addend_);
    pass_on(work, y_, x_);
  }

 private:
  const bool relu_;
  Activation<Scalar>&x_, &addend_, &y_;
};

// The maximum of each window's pixels that are in the image. Of equal pixels the first counts.
template <typename Scalar>
class MaxPoolLayer final : public Layer<Scalar> {
 public:
  MaxPoolLayer(const LayerSetup<Scalar>& setup, const MaxPool& pool)
      : pool_(pool),
        x_(setup.input),
        y_(setup.output),
        winners_(y_.data.rows() * y_.pixel_count(), y_.shape().channels) {}

  void forward(const Work& work) override {
    work.for_each_image([&](int n) {
      const auto x = x_.pixels(n);
      auto y = y_.pixels(n);
      for (Index window = 0; window < y.rows(); ++window) {
        auto winner = winners_.row(n * y.rows() + window);
        winner = -1;
        for_each_in_window(window, [&](Index p) {
          const Channels<bool> better = x.row(p) > y.row(window) || winner < 0;
          y.row(window) = better.select(x.row(p), y.row(window));
          winner = better.select(p, winner);
        });
      }
    });
  }
  void backward(const Work& work) override {
    if (!x_.in_graph.wants_gradient) return;
    const bool accumulate = claim(x_);
    work.for_each_image([&](int n) {
      const auto g = y_.gradient_pixels(n);
      auto dx = x_.gradient_pixels(n);
      if (!accumulate) dx.setZero();
      for (Index window = 0; window < g.rows(); ++window) {
        const auto winner = winners_.row(n * g.rows() + window);
        for_each_in_window(window,
                           [&](Index p) { dx.row(p) += (winner == p).select(g.row(window), 0); });
      }
    });
  }

 private:
  // Calls body(input pixel) in reading order.
  template <typename Body>
  void for_each_in_window(Index window, Body body) const {
    const ImageShape& shape = x_.shape();
    const Index width = y_.shape().width;
    const Index top = window / width * pool_.stride - pool_.padding;
    const Index left = window % width * pool_.stride - pool_.padding;
    for (Index y = std::max<Index>(top, 0); y < std::min<Index>(top + pool_.size, shape.height);
         ++y) {
      for (Index x = std::max<Index>(left, 0); x < std::min<Index>(left + pool_.size, shape.width);
           ++x) {
        body(y * shape.width + x);
      }
    }
  }

  const MaxPool pool_;
  Activation<Scalar>&x_, &y_;
  Matrix<Index> winners_;  // the input pixel of each output
};

// The mean over an image's pixels.
template <typename Scalar>
class AverageLayer final : public Layer<Scalar> {
 public:
  explicit AverageLayer(const LayerSetup<Scalar>& setup) : x_(setup.input), y_(setup.output) {}
  void forward(const Work& work) override {
    work.for_each_image([&](int n) {
      const auto x = x_.pixels(n);
      LaneSums<Scalar> sum(x.cols());
      for_each_pixel(x_.shape(), x_.in_graph.border > 0,
                     [&](Index p, Index lane) { sum.lanes.row(lane) += x.row(p); });
      y_.pixels(n).row(0) = (sum.total() / static_cast<double>(x.rows())).template cast<Scalar>();
    });
  }
  void backward(const Work& work) override {
    if (!x_.in_graph.wants_gradient) return;
    const bool accumulate = claim(x_);
    const Scalar share = Scalar{1} / static_cast<Scalar>(x_.pixel_count());
    work.for_each_image([&](int n) {
      auto dx = x_.gradient_pixels(n);
      const auto g = y_.gradient_pixels(n);
      for (Index p = 0; p < dx.rows(); ++p) give(dx.row(p), accumulate, share * g.row(0));
    });
  }

 private:
  Activation<Scalar>&x_, &y_;
};

// In training, drops element e of image i if a random word is below rate·2³². The word is word e
// mod 4 of a Philox block with the seed as key. The block's counter is (i·⌈size ÷ 4⌉ + e ÷ 4, step,
// purpose + number·256).
template <typename Scalar>
class DropoutLayer final : public Layer<Scalar> {
 public:
  DropoutLayer(const LayerSetup<Scalar>& setup, const Dropout& dropout)
      : x_(setup.input),
        y_(setup.output),
        stream_(static_cast<std::uint32_t>(Purpose::dropout) +
                (static_cast<std::uint32_t>(setup.operation.dropout) << 8)),
        key_{static_cast<std::uint32_t>(setup.seed), static_cast<std::uint32_t>(setup.seed >> 32)},
        threshold_(static_cast<std::uint32_t>(std::ldexp(dropout.rate, 32))),
        factor_(static_cast<Scalar>(1 / (1 - dropout.rate))),
        kept_(x_.data.rows(), x_.data.cols()) {}

  void forward(const Work& work) override {
    work.for_each_image([&](int n) {
      if (!work.training) {
        y_.data.row(n) = x_.data.row(n);
        return;
      }
      draw(n, static_cast<std::uint64_t>(work.step));
      y_.data.row(n) = kept_.row(n).select(factor_ * x_.data.row(n), 0);
    });
  }
  void backward(const Work& work) override {
    if (!x_.in_graph.wants_gradient) return;
    const bool accumulate = claim(x_);
    work.for_each_image([&](int n) {
      give(x_.gradient.row(n), accumulate, kept_.row(n).select(factor_ * y_.gradient.row(n), 0));
    });
  }

 private:
  void draw(int n, std::uint64_t step) {
    const Index size = kept_.cols(), blocks = (size + 3) / 4;
    for (Index block = 0; block < blocks; ++block) {
      const auto words = philox_block(
          {static_cast<std::uint32_t>(n * blocks + block), static_cast<std::uint32_t>(step),
           static_cast<std::uint32_t>(step >> 32), stream_},
          key_);
      for (Index e = 4 * block; e < std::min(4 * block + 4, size); ++e) {
        kept_(n, e) = words[static_cast<std::size_t>(e % 4)] >= threshold_;
      }
    }
  }

  Activation<Scalar>&x_, &y_;
  const std::uint32_t stream_;
  const std::array<std::uint32_t, 2> key_;
  const std::uint32_t threshold_;
  const Scalar factor_;
  Matrix<bool> kept_;
};

// Takes every stride-th pixel, and adds as many zero channels before its channels as after them.
template <typename Scalar>
class SubsamplePadLayer final : public Layer<Scalar> {
 public:
  SubsamplePadLayer(const LayerSetup<Scalar>& setup, const SubsamplePad& pad)
      : stride_(pad.stride),
        zeros_((pad.channels - setup.input.shape().channels) / 2),
        x_(setup.input),
        y_(setup.output) {}

  void forward(const Work& work) override {
    work.for_each_image([&](int n) {
      const auto x = x_.pixels(n);
      auto y = y_.pixels(n);
      y.setZero();
      for (Index p = 0; p < y.rows(); ++p) y.row(p).segment(zeros_, x.cols()) = x.row(picked(p));
    });
  }
  void backward(const Work& work) override {
    if (!x_.in_graph.wants_gradient) return;
    const bool accumulate = claim(x_);
    work.for_each_image([&](int n) {
      const auto g = y_.gradient_pixels(n);
      auto dx = x_.gradient_pixels(n);
      if (!accumulate) dx.setZero();
      for (Index p = 0; p < g.rows(); ++p) dx.row(picked(p)) += g.row(p).segment(zeros_, dx.cols());
    });
  }

 private:
  Index picked(Index p) const {
    const Index width = y_.shape().width;
    return p / width * stride_ * x_.shape().width + p % width * stride_;
  }

  const Index stride_, zeros_;
  Activation<Scalar>&x_, &y_;
};

}  // namespace

template <typename Scalar>
std::unique_ptr<Layer<Scalar>> make_layer(const LayerSetup<Scalar>& setup) {
  const auto make = [&](auto layer) -> std::unique_ptr<Layer<Scalar>> {
    using Kind = decltype(layer);
    if constexpr (std::is_same_v<Kind, Conv>)
      return conv_layer(setup, layer);
    else if constexpr (std::is_same_v<Kind, Dense>)
      return dense_layer(setup, layer);
    else if constexpr (std::is_same_v<Kind, BatchNorm>)
      return batch_norm_layer(setup, layer);
    else if constexpr (std::is_same_v<Kind, Relu>)
      return std::make_unique<ReluLayer<Scalar>>(setup);
    else if constexpr (std::is_same_v<Kind, MaxPool>)
      return std::make_unique<MaxPoolLayer<Scalar>>(setup, layer);
    else if constexpr (std::is_same_v<Kind, GlobalAveragePool>)
      return std::make_unique<AverageLayer<Scalar>>(setup);
    else if constexpr (std::is_same_v<Kind, Dropout>)
      return std::make_unique<DropoutLayer<Scalar>>(setup, layer);
    else if constexpr (std::is_same_v<Kind, SubsamplePad>)
      return std::make_unique<SubsamplePadLayer<Scalar>>(setup, layer);
    else
      return std::make_unique<AddLayer<Scalar>>(setup);
  };
  return std::visit(make, setup.operation.kind);
}

template std::unique_ptr<Layer<float>> make_layer(const LayerSetup<float>& setup);
template std::unique_ptr<Layer<double>> make_layer(const LayerSetup<double>& setup);

}  // namespace spottrain::eigen
