// Compares the kernels with loops in double precision, on shapes that reach all their paths.
#include "trainer/cuda/kernels/kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "trainer/cuda/device.h"
#include "trainer/data/philox.h"

namespace spottrain::cuda {
namespace {

// Values in device memory, as float or bfloat16, which can also be read as double.
class Values {
 public:
  Values(Element element, std::size_t count, std::uint64_t seed, float offset = 0)
      : element_(element), count_(count), memory_(count * size_of(element)) {
    Philox random(seed, Purpose::shapes, 0);
    for (std::size_t i = 0; i < count; ++i) set(i, offset + random.symmetric());
  }
  void* data() const { return memory_.data(); }
  double at(std::size_t i) const {
    return element_ == Element::f32 ? double{static_cast<float*>(data())[i]}
                                    : double{to_float(static_cast<Bf16*>(data())[i])};
  }
  void set(std::size_t i, float value) {
    if (element_ == Element::f32) {
      static_cast<float*>(data())[i] = value;
    } else {
      store_float(static_cast<Bf16*>(data())[i], value);
    }
  }
  std::size_t size() const { return count_; }

 private:
  Element element_;
  std::size_t count_;
  Memory memory_;
};

TEST(Bfloat16, RoundsToTheNearestEven) {
  const auto rounded = [](float value) {
    Bf16 half;
    store_float(half, value);
    return to_float(half);
  };
  EXPECT_EQ(rounded(1.0f), 1.0f);
  EXPECT_EQ(rounded(1.0f + 0x1p-8f), 1.0f);           // a tie, down to even
  EXPECT_EQ(rounded(1.0f + 3 * 0x1p-8f), 1.015625f);  // a tie, up to even
  EXPECT_EQ(rounded(1.0f + 0x1.01p-8f), 1.0f + 0x1p-7f);
  EXPECT_EQ(rounded(-0.0f), 0.0f);
  EXPECT_TRUE(std::signbit(rounded(-0.0f)));
  EXPECT_EQ(rounded(std::numeric_limits<float>::infinity()),
            std::numeric_limits<float>::infinity());
  EXPECT_EQ(rounded(std::numeric_limits<float>::max()), std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(rounded(std::numeric_limits<float>::quiet_NaN())));
  EXPECT_TRUE(std::isnan(rounded(std::bit_cast<float>(0x7f800001u))));
}

struct Shape {
  unsigned rows, channels;
};

class OfRows : public testing::TestWithParam<std::tuple<Shape, Element>> {
 protected:
  const Rows rows{std::get<0>(GetParam()).rows, std::get<0>(GetParam()).channels};
  const Element element = std::get<1>(GetParam());
  const Launch launch{nullptr, element};
  Array<float> partial{partial_sums(rows.channels)};
};

TEST_P(OfRows, BiasGradientSumsEveryRowOnce) {
  Values g(element, rows.size(), 1);
  const Values y(element, rows.size(), 2);
  std::vector<double> expected(rows.channels);
  for (std::size_t i = 0; i < g.size(); ++i) {
    if (y.at(i) > 0) expected[i % rows.channels] += g.at(i);
  }
  Array<float> gradient(rows.channels);
  bias_gradient(launch, rows, y.data(), g.data(), gradient.data(), partial.data());
  for (unsigned c = 0; c < rows.channels; ++c) {
    EXPECT_NEAR(gradient.data()[c], expected[c], 1e-5 * std::sqrt(rows.rows) + 1e-6);
  }
  for (std::size_t i = 0; i < g.size(); ++i) ASSERT_TRUE(y.at(i) > 0 || g.at(i) == 0);
}

TEST_P(OfRows, StatisticsOfABatchWithALargeMean) {
  const Values x(element, rows.size(), 3, 50);
  std::vector<double> mean(rows.channels), deviations(rows.channels);
  for (std::size_t i = 0; i < x.size(); ++i) mean[i % rows.channels] += x.at(i) / rows.rows;
  for (std::size_t i = 0; i < x.size(); ++i) {
    deviations[i % rows.channels] += std::pow(x.at(i) - mean[i % rows.channels], 2);
  }
  Array<float> memory(std::size_t{8} * rows.channels);
  const auto row = [&](unsigned i) { return memory.data() + std::size_t{i} * rows.channels; };
  std::fill_n(row(4), rows.channels, 2.0f);
  const Channels channels{row(0), row(1), row(2), row(3)};
  batch_statistics(launch, rows, x.data(), {row(4), row(5), row(6), row(7), 1e-5f, 0.25f}, channels,
                   partial.data());
  for (unsigned c = 0; c < rows.channels; ++c) {
    const double inverse = 1 / std::sqrt(deviations[c] / rows.rows + 1e-5);
    EXPECT_NEAR(channels.mean[c], mean[c], 1e-5 * 50);
    EXPECT_NEAR(channels.inverse_deviation[c], inverse, 1e-4 * inverse);
    EXPECT_NEAR(channels.factor[c], 2 * inverse, 2e-4 * inverse);
    EXPECT_NEAR(row(6)[c], 0.25 * mean[c], 1e-5 * 50);
    const double unbiased = rows.rows > 1 ? deviations[c] / (rows.rows - 1) : 0;
    EXPECT_NEAR(row(7)[c], 0.25 * unbiased, 1e-4 * (unbiased + 1e-3));
  }
}

// Few and many rows; channels that fill a pack, a block's lanes, several tiles, or none of these.
INSTANTIATE_TEST_SUITE_P(Shapes, OfRows,
                         testing::Combine(testing::Values(Shape{1, 1}, Shape{1, 16}, Shape{7, 3},
                                                          Shape{300, 5}, Shape{5000, 16},
                                                          Shape{2100, 64}, Shape{900, 40},
                                                          Shape{130, 300}, Shape{70, 520}),
                                          testing::Values(Element::f32, Element::bf16)));

class OfPooling : public testing::TestWithParam<Pooling> {};

TEST_P(OfPooling, GradientGoesToTheFirstOfTheLargest) {
  const Pooling p = GetParam();
  const Launch launch{nullptr, Element::f32};
  const unsigned in = p.images * p.height * p.width * p.channels;
  const unsigned out = p.images * p.out_height * p.out_width * p.channels;
  Values x(Element::f32, in, 1), y(Element::f32, out, 2), g(Element::f32, out, 3);
  for (std::size_t i = 0; i < in; ++i) x.set(i, std::round(4 * static_cast<float>(x.at(i))));
  Array<std::uint16_t> winners(out);
  max_pool(launch, p, x.data(), y.data(), winners.data());
  std::vector<double> expected(in, 10.0);
  for (unsigned i = 0; i < out; ++i) {
    const unsigned c = i % p.channels, pixel = i / p.channels;
    const unsigned column = pixel % p.out_width, row = pixel / p.out_width % p.out_height;
    const unsigned image = pixel / p.out_width / p.out_height;
    double best = -1e9;
    std::size_t winner = 0;
    for (int a = 0; a < p.size; ++a) {
      for (int b = 0; b < p.size; ++b) {
        const int from_row = static_cast<int>(row) * p.stride - p.padding + a;
        const int from_column = static_cast<int>(column) * p.stride - p.padding + b;
        if (from_row < 0 || from_row >= static_cast<int>(p.height)) continue;
        if (from_column < 0 || from_column >= static_cast<int>(p.width)) continue;
        const std::size_t from =
            ((std::size_t{image} * p.height + static_cast<unsigned>(from_row)) * p.width +
             static_cast<unsigned>(from_column)) *
                p.channels +
            c;
        if (x.at(from) > best) {
          best = x.at(from);
          winner = from;
        }
      }
    }
    ASSERT_EQ(y.at(i), best);
    expected[winner] += g.at(i);
  }
  Values dx(Element::f32, in, 4);
  for (std::size_t i = 0; i < in; ++i) dx.set(i, 10);
  max_pool_gradient(launch, p, g.data(), winners.data(), dx.data(), true);
  for (std::size_t i = 0; i < in; ++i) ASSERT_NEAR(dx.at(i), expected[i], 1e-5) << i;
  max_pool_gradient(launch, p, g.data(), winners.data(), dx.data(), false);
  for (std::size_t i = 0; i < in; ++i) ASSERT_NEAR(dx.at(i), expected[i] - 10, 1e-5) << i;
}

INSTANTIATE_TEST_SUITE_P(
    Windows, OfPooling,
    testing::Values(Pooling{2, 6, 8, 3, 3, 4, 2, 2, 0}, Pooling{2, 7, 7, 5, 4, 4, 3, 2, 1},
                    Pooling{1, 8, 8, 4, 3, 3, 2, 3, 0}, Pooling{2, 5, 6, 2, 5, 6, 3, 1, 1},
                    Pooling{1, 9, 9, 1, 2, 2, 5, 4, 0}, Pooling{3, 4, 4, 7, 1, 1, 4, 4, 0}));

TEST(SoftmaxLoss, OfManyClassesAndImages) {
  for (const unsigned classes : {2u, 10u, 33u, 100u}) {
    constexpr unsigned images = 700;
    Values logits(Element::f32, std::size_t{images} * classes, 1);
    for (std::size_t i = 0; i < logits.size(); ++i) {
      logits.set(i, std::round(20 * static_cast<float>(logits.at(i))) / 2);  // with ties
    }
    Values gradient(Element::f32, logits.size(), 2);
    Array<int> labels(images);
    Philox random(3, Purpose::shapes, 0);
    for (unsigned i = 0; i < images; ++i)
      labels.data()[i] = static_cast<int>(random.below(classes));
    Array<ImageLoss> losses(images);
    Array<LossSums> sums(1);
    const Launch launch{nullptr, Element::f32};
    softmax_loss(launch, images, classes, logits.data(), labels.data(), losses.data(),
                 {gradient.data(), images});
    sum_losses(launch, images, losses.data(), sums.data());
    double loss = 0;
    std::int64_t correct = 0;
    for (unsigned i = 0; i < images; ++i) {
      const std::size_t own = std::size_t{i} * classes;
      const auto label = static_cast<std::size_t>(labels.data()[i]);
      double sum = 0;
      std::size_t best = 0;
      for (std::size_t c = 0; c < classes; ++c) {
        sum += std::exp(logits.at(own + c));
        if (logits.at(own + c) > logits.at(own + best)) best = c;
      }
      loss += std::log(sum) - logits.at(own + label);
      correct += best == label ? 1 : 0;
      for (std::size_t c = 0; c < classes; ++c) {
        const double expected =
            (std::exp(logits.at(own + c)) / sum - (c == label ? 1 : 0)) / images;
        ASSERT_NEAR(gradient.at(own + c), expected, 1e-7 / images + 1e-9);
      }
    }
    EXPECT_NEAR(sums.data()->loss, loss, 1e-9 * loss);
    EXPECT_EQ(sums.data()->correct, correct);
  }
}

}  // namespace
}  // namespace spottrain::cuda
