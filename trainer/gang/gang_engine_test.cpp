#include "trainer/gang/gang_engine.h"

#include <gtest/gtest.h>

#include <barrier>
#include <cstring>
#include <thread>

#include "trainer/cpu/engine.h"
#include "trainer/data/philox.h"

namespace spottrain {
namespace {

// Ranks that are threads of this process.
class Threads {
 public:
  explicit Threads(int size) : barrier_(size), spans_(static_cast<std::size_t>(size)) {}

  class Rank final : public Communicator {
   public:
    Rank(Threads& all, int rank) : all_(all), rank_(rank) {}
    int rank() const override { return rank_; }
    int size() const override { return static_cast<int>(all_.spans_.size()); }
    void sum(std::span<float> values) override { sum_as<float>(values); }
    void sum(std::span<double> values) override { sum_as<double>(values); }
    void broadcast(std::span<std::byte> bytes) override {
      const auto of_zero = share(bytes);
      if (rank_ != 0) std::memcpy(bytes.data(), of_zero.front().data(), bytes.size());
      all_.barrier_.arrive_and_wait();
    }
    [[noreturn]] void abort(int) override { std::abort(); }

   private:
    std::vector<std::span<std::byte>> share(std::span<std::byte> own) {
      all_.spans_[static_cast<std::size_t>(rank_)] = own;
      all_.barrier_.arrive_and_wait();
      return all_.spans_;
    }
    template <typename Value>
    void sum_as(std::span<Value> values) {
      std::vector<Value> sums;
      for (const auto& bytes : share(std::as_writable_bytes(values))) {
        const std::span of_rank(reinterpret_cast<const Value*>(bytes.data()), values.size());
        if (sums.empty()) {
          sums.assign(of_rank.begin(), of_rank.end());
          continue;
        }
        for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += of_rank[i];
      }
      all_.barrier_.arrive_and_wait();
      std::ranges::copy(sums, values.begin());
      all_.barrier_.arrive_and_wait();
    }
    Threads& all_;
    int rank_;
  };

 private:
  std::barrier<> barrier_;
  std::vector<std::span<std::byte>> spans_;
};

ModelDescription model(bool with_batch_norm) {
  ModelDescription model{.name = "m", .input = {4, 4, 2}, .layers = {}};
  model.layers.push_back({"conv1", Conv{.channels = 4}});
  if (with_batch_norm) model.layers.push_back({"bn1", BatchNorm{}});
  model.layers.push_back({"relu1", Relu{}});
  model.layers.push_back({"dense1", Dense{.outputs = 3}});
  return model;
}

constexpr int kImages = 10, kSteps = 3;

struct Result {
  std::vector<float> state, logits;
  Loss trained, evaluated;
};

// What a rank of a gang has after some steps on ten random images and two of a smaller last batch.
Result train(Engine& engine, const ModelDescription& model) {
  engine.set_state(initial_state(model, 1));
  Philox random(2, Purpose::shapes, 0);
  std::vector<float> images(kImages * model.input.size());
  for (float& value : images) value = random.symmetric();
  std::vector<int> labels;
  for (int i = 0; i < kImages; ++i) labels.push_back(i % 3);
  Result result;
  for (std::int64_t i = 0; i < kSteps; ++i) {
    const std::size_t count = i == 1 ? 2 : kImages;
    result.trained = engine.train({.images = std::span(images).first(count * model.input.size()),
                                   .labels = std::span(labels).first(count)},
                                  {.index = i, .learning_rate = 0.1});
  }
  result.evaluated = engine.evaluate({.images = images, .labels = labels});
  result.logits = engine.logits(images);
  result.state = engine.state();
  return result;
}

std::vector<Result> train_gang(int size, const ModelDescription& model) {
  Threads threads(size);
  std::vector<Result> results(static_cast<std::size_t>(size));
  std::vector<std::jthread> ranks;
  for (int rank = 0; rank < size; ++rank) {
    ranks.emplace_back([&, rank] {
      Threads::Rank communicator(threads, rank);
      const auto engine =
          make_gang_engine(make_cpu_engine(model, {.batch_size = kImages}), model, communicator);
      results[static_cast<std::size_t>(rank)] = train(*engine, model);
    });
  }
  ranks.clear();
  return results;
}

TEST(GangEngine, AnyNumberOfRanksTakesTheStepsOfOne) {
  const ModelDescription one = model(false);
  const auto alone = make_cpu_engine(one, {.batch_size = kImages});
  const Result expected = train(*alone, one);
  for (const int size : {1, 2, 3, 4}) {  // of four ranks, two have no image of the second batch
    for (const Result& result : train_gang(size, one)) {
      ASSERT_EQ(result.state.size(), expected.state.size());
      for (std::size_t i = 0; i < expected.state.size(); ++i) {
        EXPECT_NEAR(result.state[i], expected.state[i], 2e-6) << size << " ranks";
      }
      EXPECT_NEAR(result.trained.sum, expected.trained.sum, 1e-4);
      EXPECT_NEAR(result.evaluated.sum, expected.evaluated.sum, 1e-4);
      EXPECT_EQ(result.evaluated.correct, expected.evaluated.correct);
    }
  }
}

TEST(GangEngine, RanksStayBitForBitEqualAndEveryRunIsTheSame) {
  const auto first = train_gang(3, model(true)), again = train_gang(3, model(true));
  for (int rank = 0; rank < 3; ++rank) {
    const auto i = static_cast<std::size_t>(rank);
    EXPECT_EQ(first[i].state, first[0].state);
    EXPECT_EQ(first[i].logits, first[0].logits);
    EXPECT_EQ(again[i].state, first[0].state);
  }
}

}  // namespace
}  // namespace spottrain
