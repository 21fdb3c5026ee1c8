#include "trainer/gang/gang_engine.h"

#include <gtest/gtest.h>

#include "trainer/cpu/engine.h"
#include "trainer/data/philox.h"
#include "trainer/gang/threads_for_test.h"

namespace spottrain {
namespace {

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

// The result of a rank after some steps on ten random images. The last batch has only two images.
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
  return of_ranks<Result>(size, [&model](Communicator& gang) {
    const auto engine =
        make_gang_engine(make_cpu_engine(model, {.batch_size = kImages}), model, gang);
    return train(*engine, model);
  });
}

TEST(GangEngine, AnyNumberOfRanksTakesTheStepsOfOneProcess) {
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
