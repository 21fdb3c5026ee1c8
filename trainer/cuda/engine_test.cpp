// Tests of the whole engine: compared with the CPU's, resumed, repeated, misused.
#include "trainer/cpu/engine.h"

#include <cmath>

#include "trainer/cuda/engine_for_test.h"
#include "trainer/eigen/reference/models_for_test.h"
#include "trainer/model/model_text.h"
#include "trainer/model/models.h"

namespace spottrain::cuda {
namespace {

using Kind = Optimizer::Kind;

constexpr int kBatch = 6;

ModelDescription small_model() {
  return parse_model(
      "conv 8\nbatch-norm\nrelu\nmax-pool\nconv 8 bias\nrelu\ndropout 0.3\n"
      "global-average-pool\ndense 9\nrelu\ndropout 0.5\ndense classes",
      "small", {8, 8, 3}, 4);
}

Step step_of(int index) { return {.index = index, .learning_rate = 0.05 / (1 + index)}; }

TestBatch batch_of(const ModelDescription& model, int index, int images = kBatch) {
  return {model, images, static_cast<std::uint64_t>(index)};
}

struct Trained {
  std::vector<float> state;
  std::vector<std::vector<float>> moments;
  bool operator==(const Trained&) const = default;
};

Trained result_of(const Engine& engine, const EngineOptions& options) {
  Trained trained{engine.state(), {}};
  for (int i = 0; i < options.optimizer.moments(); ++i) trained.moments.push_back(engine.moment(i));
  return trained;
}

void restore(Engine& engine, const Trained& trained) {
  engine.set_state(trained.state);
  for (std::size_t i = 0; i < trained.moments.size(); ++i) {
    engine.set_moment(static_cast<int>(i), trained.moments[i]);
  }
}

// ‖a − b‖ ÷ ‖a − start‖: the distance of two results, relative to the distance from their start.
double difference(const std::vector<float>& a, const std::vector<float>& b,
                  const std::vector<float>& start) {
  double apart = 0, moved = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    apart += std::pow(double{a[i]} - double{b[i]}, 2);
    moved += std::pow(double{a[i]} - double{start[i]}, 2);
  }
  return std::sqrt(apart / moved);
}

class EngineOf : public OnTestedEngine<testing::Test> {};

class OfOptimizer : public OnTestedEngine<testing::TestWithParam<Kind>> {
 protected:
  const ModelDescription model = small_model();
  const EngineOptions options{
      .optimizer = {.kind = GetParam(), .momentum = 0.9, .weight_decay = 1e-2},
      .batch_size = kBatch,
      .seed = 7,
      .deterministic = true};
};

// The model has dropout: both engines drop the same values.
TEST_P(OfOptimizer, TrainsAsTheCpuDoes) {
  const std::vector<float> start = random_state(model, 1);
  const auto tested = tested_engine(model, options), cpu = make_cpu_engine(model, options);
  tested->set_state(start);
  cpu->set_state(start);
  for (int i = 0; i < 5; ++i) {
    const TestBatch batch = batch_of(model, i);
    const Loss expected = cpu->train(batch.view(), step_of(i));
    const Loss found = tested->train(batch.view(), step_of(i));
    EXPECT_NEAR(found.sum, expected.sum, 1e-3 * expected.sum) << i;
  }
  EXPECT_LT(difference(cpu->state(), tested->state(), start), 1e-3);
}

TEST_P(OfOptimizer, ResumedRunEndsInTheSameBits) {
  const auto straight = tested_engine(model, options);
  straight->set_state(random_state(model, 1));
  std::vector<Trained> after;
  for (int i = 0; i < 6; ++i) {
    after.push_back(result_of(*straight, options));
    straight->train(batch_of(model, i).view(), step_of(i));
  }
  const Trained expected = result_of(*straight, options);
  for (int k : {0, 1, 3, 5}) {
    const auto resumed = tested_engine(model, options);
    restore(*resumed, after[static_cast<std::size_t>(k)]);
    for (int i = k; i < 6; ++i) resumed->train(batch_of(model, i).view(), step_of(i));
    EXPECT_EQ(result_of(*resumed, options), expected) << "from step " << k;
  }
}

TEST_P(OfOptimizer, ASnapshotIsTheStateAndThenTheMoments) {
  const auto engine = tested_engine(model, options);
  engine->set_state(random_state(model, 1));
  for (int i = 0; i < 3; ++i) engine->train(batch_of(model, i).view(), step_of(i));
  std::vector<float> expected = engine->state();
  for (int i = 0; i < options.optimizer.moments(); ++i) {
    const std::vector<float> moment = engine->moment(i);
    expected.insert(expected.end(), moment.begin(), moment.end());
  }
  std::vector<float> values(expected.size());
  engine->snapshot(values);
  EXPECT_EQ(values, expected);
  values.pop_back();
  EXPECT_THROW(engine->snapshot(values), std::invalid_argument);
}

TEST_P(OfOptimizer, AppliedGradientIsATrainingStep) {
  const auto whole = tested_engine(model, options), parts = tested_engine(model, options);
  for (const auto& engine : {whole.get(), parts.get()}) engine->set_state(random_state(model, 1));
  std::vector<float> gradient(trained_size(model));
  for (int i = 0; i < 3; ++i) {
    const TestBatch batch = batch_of(model, i);
    const Loss expected = whole->train(batch.view(), step_of(i));
    const Loss found = parts->gradient(batch.view(), step_of(i), gradient);
    parts->apply(gradient, step_of(i));
    EXPECT_EQ(found.sum, expected.sum);
    EXPECT_EQ(result_of(*parts, options), result_of(*whole, options));
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, OfOptimizer,
                         testing::Values(Kind::sgd, Kind::nesterov, Kind::adam, Kind::adamw));

class OfPrecision : public OnTestedEngine<testing::TestWithParam<Precision>> {
 protected:
  const ModelDescription model = small_model();
  const EngineOptions options{.batch_size = kBatch, .precision = GetParam(), .deterministic = true};
  // The bounds of docs/cuda.md, relative to float32's loss, and to the distance that float32
  // trained.
  double loss_bound() const { return GetParam() == Precision::bf16 ? 0.03 : 0.005; }
  double state_bound() const { return GetParam() == Precision::bf16 ? 0.02 : 0.005; }
};

// The first step of a size runs kernel by kernel, the second records a graph, later ones repeat it.
TEST_P(OfPrecision, RepeatedGraphEqualsTheFirstRun) {
  const auto engine = tested_engine(model, options);
  const Trained start{random_state(model, 1), {std::vector<float>(trained_size(model), 0.01f)}};
  std::vector<Trained> results;
  std::vector<double> losses;
  for (int run = 0; run < 4; ++run) {
    restore(*engine, start);
    losses.push_back(engine->train(batch_of(model, 1).view(), step_of(3)).sum);
    results.push_back(result_of(*engine, options));
  }
  for (int run = 1; run < 4; ++run) {
    EXPECT_EQ(results[static_cast<std::size_t>(run)], results[0]) << run;
    EXPECT_EQ(losses[static_cast<std::size_t>(run)], losses[0]) << run;
  }
}

TEST_P(OfPrecision, GraphServesOtherStepsAndBatches) {
  const auto engine = tested_engine(model, options);
  const std::vector<float> start = random_state(model, 1);
  for (int i = 0; i < 3; ++i) engine->train(batch_of(model, i).view(), step_of(i));
  for (int images : {kBatch, 2}) {
    restore(*engine, {start, {std::vector<float>(trained_size(model))}});
    const auto fresh = tested_engine(model, options);
    fresh->set_state(start);
    for (int i = 5; i < 8; ++i) {
      const TestBatch batch = batch_of(model, i, images);
      EXPECT_EQ(engine->train(batch.view(), step_of(i)).sum,
                fresh->train(batch.view(), step_of(i)).sum);
    }
    EXPECT_EQ(engine->state(), fresh->state());
  }
}

TEST_P(OfPrecision, TwoStepsInProgressEqualTwoStepsInSequence) {
  const auto one = tested_engine(model, options), two = tested_engine(model, options);
  for (const auto& engine : {one.get(), two.get()}) engine->set_state(random_state(model, 1));
  std::vector<double> expected, found;
  for (int i = 0; i < 6; ++i) {
    expected.push_back(one->train(batch_of(model, i).view(), step_of(i)).sum);
    two->submit(batch_of(model, i).view(), step_of(i));
    if (i > 0) found.push_back(two->finish().sum);
  }
  found.push_back(two->finish().sum);
  EXPECT_EQ(found, expected);
  EXPECT_EQ(two->state(), one->state());
}

TEST_P(OfPrecision, TrainsAsFloat32Does) {
  const std::vector<float> start = random_state(model, 1);
  const auto tested = tested_engine(model, options),
             exact = tested_engine(model, {.batch_size = kBatch});
  for (const auto& engine : {tested.get(), exact.get()}) engine->set_state(start);
  for (int i = 0; i < 5; ++i) {
    const Loss expected = exact->train(batch_of(model, i).view(), step_of(i));
    const Loss found = tested->train(batch_of(model, i).view(), step_of(i));
    EXPECT_NEAR(found.sum, expected.sum, loss_bound() * expected.sum) << i;
  }
  const double apart = difference(exact->state(), tested->state(), start);
  EXPECT_LT(apart, state_bound());
  EXPECT_EQ(apart == 0,
            GetParam() == Precision::fp32 || (is_emulated() && GetParam() == Precision::tf32));
}

TEST_P(OfPrecision, StateIsReadAsItWasWritten) {
  const auto engine = tested_engine(model, options);
  const std::vector<float> state = random_state(model, 5);
  engine->set_state(state);
  EXPECT_EQ(engine->state(), state);
}

INSTANTIATE_TEST_SUITE_P(Precisions, OfPrecision,
                         testing::Values(Precision::fp32, Precision::tf32, Precision::bf16));

// Rounding errors grow with steps and with layers. For ResNet-50, the CPU's float32 and double
// precision differ by 1.7 % after one step and by 44 % after two. For ResNet-20 they differ by 0.4
// % after three.
struct Builtin {
  std::string name;
  ImageShape real, emulated;  // images; an emulation that takes too long has none
  int steps = 3;
  double apart = 1e-2;  // at most, after these steps
};
void PrintTo(const Builtin& builtin, std::ostream* out) { *out << builtin.name; }
class OfModel : public OnTestedEngine<testing::TestWithParam<Builtin>> {};

TEST_P(OfModel, TrainsAsTheCpuDoes) {
  const int images = is_emulated() ? 3 : 32;
  const ImageShape shape = is_emulated() ? GetParam().emulated : GetParam().real;
  if (shape.size() == 0) GTEST_SKIP() << "too slow in an emulation";
  const ModelDescription model = load_model(GetParam().name, shape, 10);
  const EngineOptions options{.optimizer = {.weight_decay = 1e-4}, .batch_size = images};
  const auto tested = tested_engine(model, options), cpu = make_cpu_engine(model, options);
  const std::vector<float> start = initial_state(model, 1);
  tested->set_state(start);
  cpu->set_state(start);
  for (int i = 0; i < GetParam().steps; ++i) {
    const TestBatch batch = batch_of(model, i, images);
    const Loss expected = cpu->train(batch.view(), step_of(i));
    const Loss found = tested->train(batch.view(), step_of(i));
    EXPECT_NEAR(found.sum, expected.sum, 2e-3 * expected.sum) << i;
  }
  EXPECT_LT(difference(cpu->state(), tested->state(), start), GetParam().apart);
}

INSTANTIATE_TEST_SUITE_P(Builtin, OfModel,
                         testing::Values(Builtin{"resnet20", {32, 32, 3}, {8, 8, 3}},
                                         Builtin{"mlp", {32, 32, 3}, {8, 8, 3}},
                                         Builtin{"cnn-8-16", {32, 32, 3}, {8, 8, 3}},
                                         Builtin{"mnist-cnn", {28, 28, 1}, {12, 12, 1}},
                                         Builtin{"lenet", {28, 28, 1}, {28, 28, 1}},
                                         Builtin{
                                             "resnet50-cifar", {32, 32, 3}, {0, 0, 0}, 1, 4e-2}),
                         [](const auto& test) {
                           std::string name = test.param.name;
                           std::erase(name, '-');
                           return name;
                         });

TEST_F(EngineOf, LogitsOfMoreImagesThanABatch) {
  const ModelDescription model = small_model();
  const auto engine = tested_engine(model, {.batch_size = 4});
  engine->set_state(random_state(model, 1));
  const TestBatch batch = batch_of(model, 1, 10);
  const std::vector<float> all = engine->logits(batch.images);
  ASSERT_EQ(all.size(), 40u);
  const auto last = engine->logits(std::span(batch.images).last(model.input.size()));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(all[36 + i], last[i], 1e-5);
}

TEST_F(EngineOf, ReportsErrorsOfABatch) {
  const ModelDescription model = small_model();
  const auto engine = tested_engine(model, {.batch_size = 2});
  const std::vector<float> images(3 * model.input.size());
  const auto message = [&](std::vector<int> labels, std::size_t count) -> std::string {
    try {
      engine->train({std::span(images).first(count), labels}, {});
      return "accepted";
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
  };
  EXPECT_EQ(message({0, 1, 2}, images.size()), "batch of 3 images, expected 1 to 2");
  EXPECT_EQ(message({}, 0), "batch of 0 images, expected 1 to 2");
  EXPECT_EQ(message({0}, 5), "images of 5 values, expected 192");
  EXPECT_EQ(message({4}, 192), "class 4, expected 0 to 3");
  EXPECT_THROW(engine->set_state(images), std::invalid_argument);
  EXPECT_THROW(engine->finish(), std::logic_error);
}

TEST_F(EngineOf, RefusesAThirdStepInProgress) {
  const ModelDescription model = small_model();
  const auto engine = tested_engine(model, {.batch_size = kBatch});
  engine->set_state(random_state(model, 1));
  for (int i = 0; i < 2; ++i) engine->submit(batch_of(model, i).view(), step_of(i));
  EXPECT_THROW(engine->submit(batch_of(model, 2).view(), step_of(2)), std::logic_error);
  EXPECT_THROW(engine->evaluate(batch_of(model, 2).view()), std::logic_error);
  for (int i = 0; i < 2; ++i) engine->finish();
  EXPECT_GT(engine->evaluate(batch_of(model, 2).view()).sum, 0);
}

TEST_F(EngineOf, ReportsItsLayersAndWhatEqualBitsDependOn) {
  const ModelDescription model = small_model();
  const auto engine = tested_engine(
      model,
      {.batch_size = kBatch, .profile = true, .precision = Precision::bf16, .deterministic = true});
  engine->set_state(random_state(model, 1));
  for (int i = 0; i < 3; ++i) engine->train(batch_of(model, i).view(), step_of(i));
  const auto seconds = engine->layer_seconds();
  ASSERT_EQ(seconds.size(), 12u);  // ReLUs after convolutions, norms and dense layers are in those
  for (const auto& [layer, time] : seconds) EXPECT_GE(time, 0) << layer;
  const std::string numeric_class = engine->numeric_class();
  EXPECT_TRUE(numeric_class.starts_with("cuda bfloat16, deterministic, ")) << numeric_class;
  const EngineOptions other{.batch_size = kBatch};
  EXPECT_NE(tested_engine(model, other)->numeric_class(), numeric_class);
}

}  // namespace
}  // namespace spottrain::cuda
