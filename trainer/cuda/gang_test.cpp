// Compares a gang of devices with the gang that sums on the host: where a step has the sum, its
// scale, and which ranks take part.
#include <algorithm>

#include "trainer/cuda/engine_for_test.h"
#include "trainer/eigen/reference/models_for_test.h"
#include "trainer/gang/gang_engine.h"
#include "trainer/gang/threads_for_test.h"
#include "trainer/model/model_text.h"

namespace spottrain::cuda {
namespace {

constexpr int kGangBatch = 8;

ModelDescription gang_model() {
  return parse_model("conv 8\nbatch-norm\nrelu\nconv 8 bias\nrelu\ndropout 0.3\ndense classes",
                     "small", {6, 6, 3}, 4);
}

struct GangCase {
  std::string name;
  EngineOptions options;
};

// The results of a rank, at the end and in between.
struct Course {
  std::vector<float> state, moment, logits, gradient;
  std::vector<double> losses;
  std::vector<std::int64_t> correct;
  bool operator==(const Course&) const = default;

  void note(const Loss& loss) {
    losses.push_back(loss.sum);
    correct.push_back(loss.correct);
  }
};

using MakeEngine = std::function<std::unique_ptr<Engine>(const EngineOptions&, Communicator&)>;

// Takes steps one by one and two at a time, on batches of several sizes, often enough for graphs to
// repeat. Then it applies a gradient. Evaluations come in between.
Course course_of(Engine& engine, const ModelDescription& model, const std::vector<int>& sizes) {
  Course course;
  engine.set_state(random_state(model, 1));
  const auto batch = [&](int i) {
    const int images = sizes[static_cast<std::size_t>(i) % sizes.size()];
    return TestBatch(model, images, static_cast<std::uint64_t>(i));
  };
  const auto step = [](int i) { return Step{.index = i, .learning_rate = 0.05 / (1 + i)}; };
  int i = 0;
  for (; i < 6; ++i) course.note(engine.train(batch(i).view(), step(i)));
  course.note(engine.evaluate(batch(i).view()));
  engine.submit(batch(i).view(), step(i));
  for (++i; i < 10; ++i) {
    engine.submit(batch(i).view(), step(i));
    course.note(engine.finish());
  }
  course.note(engine.finish());
  course.gradient.resize(trained_size(model));
  course.note(engine.gradient(batch(i).view(), step(i), course.gradient));
  engine.apply(course.gradient, step(i));
  for (int repeat = 0; repeat < 3; ++repeat) course.note(engine.evaluate(batch(i).view()));
  course.logits = engine.logits(batch(i).images);
  course.state = engine.state();
  course.moment = engine.moment(0);
  return course;
}

std::vector<Course> courses(int ranks, const ModelDescription& model, const EngineOptions& options,
                            const std::vector<int>& sizes, const MakeEngine& make) {
  return of_ranks<Course>(ranks, [&](Communicator& gang) {
    EngineOptions own = options;
    own.seed += static_cast<std::uint64_t>(gang.rank());
    const auto engine = make(own, gang);
    return course_of(*engine, model, sizes);
  });
}

MakeEngine on_host(const ModelDescription& model) {
  return [&model](const EngineOptions& options, Communicator& gang) {
    return make_gang_engine(tested_engine(model, options), model, gang);
  };
}

MakeEngine on_devices(const ModelDescription& model) {
  return [&model](const EngineOptions& options, Communicator& gang) {
    GpuGang place{.rank = {.rank = gang.rank(), .size = gang.size()}};
    if (gang.rank() == 0) place.id = tested_module().new_gang_id();
    gang.broadcast(place.id);
    return tested_module().make_engine(model, options, &place);
  };
}

template <typename Base>
class WithGangs : public OnTestedEngine<Base> {
 protected:
  void SetUp() override {
    OnTestedEngine<Base>::SetUp();
    if (this->IsSkipped()) return;
    const std::string reason = tested_module().why_no_gangs();
    if (!reason.empty()) GTEST_SKIP() << reason;
  }
  // On real GPUs, only a gang of one is tested here. Larger gangs need a process for each rank
  // (trainer/gang/gang_program_test.cpp).
  const int ranks = is_emulated() ? 2 : 1;
  const ModelDescription model = gang_model();
};

class GangOfDevices : public WithGangs<testing::Test> {};
class GangOfCase : public WithGangs<testing::TestWithParam<GangCase>> {};

// Halves are exact in binary, so two ranks with equal shares compute the bits of the host.
TEST_P(GangOfCase, TakesTheStepsOfAGangOnTheHostBitForBit) {
  const std::vector<int> sizes{kGangBatch, kGangBatch, 2};
  const auto expected = courses(ranks, model, GetParam().options, sizes, on_host(model));
  const auto found = courses(ranks, model, GetParam().options, sizes, on_devices(model));
  for (std::size_t rank = 0; rank < found.size(); ++rank) {
    EXPECT_EQ(found[rank].gradient, expected[rank].gradient) << rank;
    EXPECT_EQ(found[rank].losses, expected[rank].losses) << rank;
    EXPECT_TRUE(found[rank] == expected[rank]) << rank;
    // Running means are the last values of the state. Each rank has its own while it trains.
    EXPECT_EQ(found[rank].logits, found[0].logits) << rank;
    EXPECT_EQ(found[rank].state, found[0].state) << rank;
  }
}

EngineOptions options_of(Optimizer::Kind kind, Precision precision) {
  return {.optimizer = {.kind = kind, .weight_decay = 1e-2},
          .batch_size = kGangBatch,
          .seed = 7,
          .precision = precision,
          .deterministic = true};
}

INSTANTIATE_TEST_SUITE_P(
    Cases, GangOfCase,
    testing::Values(GangCase{"sgd", options_of(Optimizer::Kind::sgd, Precision::fp32)},
                    GangCase{"adamw", options_of(Optimizer::Kind::adamw, Precision::fp32)},
                    GangCase{"bf16", options_of(Optimizer::Kind::sgd, Precision::bf16)}),
    [](const auto& test) { return test.param.name; });

// The last of three ranks has fewer images of the first batch, and none of the second.
TEST_F(GangOfDevices, SharesMayBeUnequalOrEmpty) {
  if (!is_emulated()) GTEST_SKIP() << "three ranks are emulated only";
  const std::vector<int> sizes{7, 2};
  const EngineOptions options = options_of(Optimizer::Kind::sgd, Precision::fp32);
  const auto expected = courses(3, model, options, sizes, on_host(model));
  const auto found = courses(3, model, options, sizes, on_devices(model));
  for (std::size_t rank = 0; rank < found.size(); ++rank) {
    EXPECT_EQ(found[rank].state, found[0].state) << rank;
    EXPECT_EQ(found[rank].correct, expected[rank].correct) << rank;
    for (std::size_t i = 0; i < found[rank].state.size(); ++i) {
      ASSERT_NEAR(found[rank].state[i], expected[rank].state[i], 1e-5) << rank << " " << i;
    }
    for (std::size_t i = 0; i < found[rank].losses.size(); ++i) {
      EXPECT_NEAR(found[rank].losses[i], expected[rank].losses[i], 1e-4) << rank << " " << i;
    }
  }
}

TEST_F(GangOfDevices, ReportsWhatTheOrderOfItsSumsDependsOn) {
  const auto numeric_classes = of_ranks<std::string>(ranks, [&](Communicator& gang) {
    const auto engine = on_devices(model)({.batch_size = kGangBatch, .deterministic = true}, gang);
    return engine->numeric_class();
  });
  for (const std::string& found : numeric_classes) {
    EXPECT_NE(found.find(is_emulated() ? ", emulated gang, " : ", ring, "), std::string::npos)
        << found;
  }
}

TEST_F(GangOfDevices, TimesTheSumAsAPartOfTheStep) {
  const auto found = of_ranks<std::vector<std::string>>(ranks, [&](Communicator& gang) {
    const auto engine = on_devices(model)({.batch_size = kGangBatch, .profile = true}, gang);
    engine->set_state(random_state(model, 1));
    engine->train(TestBatch(model, kGangBatch, 1).view(), {.learning_rate = 0.1});
    std::vector<std::string> names;
    for (const auto& [name, seconds] : engine->layer_seconds()) names.push_back(name);
    return names;
  });
  for (const auto& names : found) {
    EXPECT_NE(std::ranges::find(names, "sum over ranks"), names.end());
    EXPECT_NE(std::ranges::find(names, "optimizer"), names.end());
  }
}

// If a rank ends, the others get an error instead of waiting for ever.
TEST_F(GangOfDevices, TheLossOfARankEndsTheStepsOfTheOthers) {
  if (!is_emulated()) GTEST_SKIP() << "the loss of a rank is emulated only";
  const auto outcomes = of_ranks<std::string>(2, [&](Communicator& gang) -> std::string {
    const auto engine = on_devices(model)({.batch_size = kGangBatch}, gang);
    engine->set_state(random_state(model, 1));
    try {
      for (int i = 0; i < (gang.rank() == 1 ? 3 : 6); ++i) {
        engine->train(TestBatch(model, kGangBatch, 1).view(), {.index = i, .learning_rate = 0.1});
      }
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "finished";
  });
  EXPECT_EQ(outcomes[0], "a rank of the emulated gang has left");
  EXPECT_EQ(outcomes[1], "finished");
}

}  // namespace
}  // namespace spottrain::cuda
