// Every layer, through small models, against the definitions in double precision and their
// differences.
#include <gtest/gtest.h>

#include <cmath>

#include "trainer/cpu/engine.h"
#include "trainer/cpu/kernels/dispatch.h"
#include "trainer/cpu/reference/reference.h"
#include "trainer/cpu/reference/test_models.h"

namespace spottrain::cpu {
namespace {

// Relative to the largest of what is compared; float32 sums of some thousand terms stay below.
constexpr double kTolerance = 2e-5;

struct LayersCase {
  std::string name;
  ImageShape input;
  std::vector<Layer> layers;
  int images = 5;
};

void PrintTo(const LayersCase& c, std::ostream* out) { *out << c.name; }

std::vector<LayersCase> layers_cases() {
  const Layer norm{"bn", BatchNorm{}}, relu{"relu", Relu{}}, average{"pool", GlobalAveragePool{}};
  const Layer dense{"dense", Dense{4}};
  const auto conv = [](std::string name, Conv c) { return Layer{std::move(name), c}; };
  const Layer body{"conv2", Conv{6}};
  return {
      {"Dense", {3, 5, 2}, {dense}},
      {"DenseReluDense", {1, 1, 37}, {{"hidden", Dense{19}}, relu, dense}},
      {"DenseLongerThanOnePart", {10, 9, 7}, {{"hidden", Dense{18}}, relu, dense}},
      {"ConvBias", {5, 6, 3}, {conv("conv", {4, 3, 1, 1, true}), average}},
      {"ConvBiasReluDense", {5, 6, 3}, {conv("conv", {7, 3, 1, 0, true}), relu, dense}},
      {"ConvConv", {7, 7, 1}, {conv("conv1", {5}), conv("conv2", {4, 3, 2, 1}), dense}},
      {"ConvIntoDense", {6, 6, 2}, {conv("conv1", {3}), conv("conv2", {3, 3, 1, 0}), dense}},
      {"ConvNormRelu", {6, 5, 3}, {conv("conv", {17}), norm, relu, average, dense}},
      {"ConvNorm", {6, 5, 3}, {conv("conv", {16}), norm, average, dense}},
      {"NormFirst", {4, 4, 3}, {norm, conv("conv", {5}), average, dense}},
      {"ReluAlone", {4, 4, 5}, {norm, average, relu, dense}},
      {"MaxPool", {6, 6, 3}, {conv("conv", {5}), {"pool", MaxPool{}}, dense}},
      {"MaxPoolOverlapping", {7, 7, 3}, {conv("conv", {17}), {"pool", MaxPool{3, 2, 1}}, dense}},
      {"MaxPoolFirst", {6, 6, 3}, {{"pool", MaxPool{}}, conv("conv", {5}), dense}},
      {"DropoutOfNothing", {4, 4, 3}, {conv("conv", {5}), {"drop", Dropout{0}}, dense}},
      {"DropoutAlone", {5, 3, 3}, {conv("conv", {5}), {"drop", Dropout{0.4}}, dense}},
      {"DropoutBetween",
       {5, 5, 2},
       {conv("conv1", {6}),
        relu,
        {"drop1", Dropout{0.25}},
        body,
        norm,
        relu,
        average,
        {"drop2", Dropout{0.5}},
        dense}},
      {"ResidualIdentity",
       {6, 6, 2},
       {conv("conv1", {6}), relu, {"block", Residual{{body, norm}, {}}}, relu, average, dense}},
      {"ResidualSubsamplePad",
       {7, 7, 2},
       {conv("conv1", {4}),
        relu,
        {"block",
         Residual{
             {conv("conv2", {8, 3, 2, 1}), norm, relu, conv("conv3", {8}), {"bn2", BatchNorm{}}},
             {{"pad", SubsamplePad{8, 2}}}}},
        relu,
        average,
        dense}},
      {"ResidualProjection",
       {6, 6, 3},
       {conv("conv1", {4}),
        relu,
        {"block", Residual{{conv("conv2", {8, 1, 1, 0}), norm},
                           {conv("conv3", {8, 1, 1, 0}), {"bn2", BatchNorm{}}}}},
        relu,
        average,
        dense}},
      {"ResidualProjectionStride",
       {6, 6, 3},
       {conv("conv1", {4}),
        relu,
        {"block", Residual{{conv("conv2", {8, 3, 2, 1}), norm},
                           {conv("conv3", {8, 1, 2, 0}), {"bn2", BatchNorm{}}}}},
        relu,
        average,
        dense}},
      {"ResidualWithoutNorm",
       {6, 6, 2},
       {conv("conv1", {6}), {"block", Residual{{body, relu}, {}}}, relu, average, dense}},
      {"ResidualPreActivation",
       {6, 6, 2},
       {conv("conv1", {6}), {"block", Residual{{norm, relu, body}, {}}}, average, dense}},
      {"ResidualOfOnlyNorm",
       {4, 4, 2},
       {conv("conv1", {6}), {"block", Residual{{norm}, {}}}, average, dense}},
      {"ResidualEmpty", {4, 4, 2}, {conv("conv1", {6}), {"block", Residual{{}, {}}}, dense}},
      {"ResidualNested",
       {6, 6, 2},
       {conv("conv1", {6}),
        {"outer", Residual{{{"inner", Residual{{body, norm}, {}}}, relu, conv("conv3", {6})}, {}}},
        relu,
        average,
        dense}},
      {"OneImage", {6, 6, 3}, {conv("conv", {5}), norm, relu, average, dense}, 1},
  };
}

class Layers : public testing::TestWithParam<LayersCase> {
 protected:
  const ModelDescription model{GetParam().name, GetParam().input, GetParam().layers};
  const std::vector<float> state = random_state(model, 1);
  const std::vector<double> exact{state.begin(), state.end()};
  const TestBatch batch{model, GetParam().images, 2};

  std::unique_ptr<Engine> engine() const {
    auto engine = make_cpu_engine(model, {.batch_size = GetParam().images});
    engine->set_state(state);
    return engine;
  }
};

TEST_P(Layers, ForwardAgreesWithTheDefinitions) {
  const auto tested = engine();
  const std::vector<float> logits = tested->logits(batch.images);
  const ReferenceLoss expected = reference_loss(model, exact, batch.view(), false);
  ASSERT_EQ(logits.size(), expected.logits.size());
  for (std::size_t i = 0; i < logits.size(); ++i) {
    EXPECT_NEAR(logits[i], expected.logits[i], kTolerance * (1 + std::abs(expected.logits[i])));
  }
  EXPECT_NEAR(tested->evaluate(batch.view()).sum, expected.sum, kTolerance * (1 + expected.sum));
}

TEST_P(Layers, GradientAgreesWithDifferences) {
  const auto tested = engine();
  std::vector<float> gradient(trained_size(model));
  const Loss loss = tested->gradient(batch.view(), {}, gradient);
  const double expected_loss = reference_loss(model, exact, batch.view(), true).sum;
  EXPECT_NEAR(loss.sum, expected_loss, kTolerance * (1 + expected_loss));
  double largest = 1e-3;
  for (const float g : gradient) largest = std::max(largest, std::abs(double{g}));
  // About forty of each tensor's values.
  std::size_t first = 0;
  for (const TensorInfo& tensor : tensors_of(model)) {
    if (tensor.role == TensorRole::running) break;
    for (std::size_t i = 0; i < tensor.size(); i += 1 + tensor.size() / 40) {
      const double expected = reference_derivative(model, exact, batch.view(), first + i);
      ASSERT_NEAR(gradient[first + i], expected, kTolerance * largest) << tensor.name << " " << i;
    }
    first += tensor.size();
  }
}

INSTANTIATE_TEST_SUITE_P(Models, Layers, testing::ValuesIn(layers_cases()),
                         [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace spottrain::cpu
