// Every layer, through small models, against the definitions in double precision and their
// differences.
#include <cmath>

#include "trainer/cpu/reference/reference.h"
#include "trainer/cpu/reference/test_models.h"
#include "trainer/cuda/tested_engine.h"
#include "trainer/model/model_text.h"

namespace spottrain::cuda {
namespace {

using cpu::random_state;
using cpu::reference_derivative;
using cpu::reference_loss;
using cpu::ReferenceLoss;
using cpu::TestBatch;
using cpu::trained_size;

// Relative to the largest of what is compared.
constexpr double kTolerance = 1e-4;

struct LayersCase {
  std::string name, text;
  ImageShape input;
  int images = 5;
};

void PrintTo(const LayersCase& c, std::ostream* out) { *out << c.name; }

const std::vector<LayersCase> kLayersCases{
    {"Dense", "dense classes", {3, 5, 2}},
    {"DenseReluDense", "dense 19\nrelu\ndense classes", {1, 1, 37}},
    {"ConvBias", "conv 4 bias\nglobal-average-pool\ndense classes", {5, 6, 3}},
    {"ConvBiasRelu", "conv 7 bias padding=0\nrelu\ndense classes", {5, 6, 3}},
    {"ConvRelu", "conv 8\nrelu\ndense classes", {5, 6, 4}},
    {"ConvConv", "conv 5\nconv 4 stride=2\ndense classes", {7, 7, 1}},
    {"ConvNormRelu", "conv 17\nbatch-norm\nrelu\nglobal-average-pool\ndense classes", {6, 5, 3}},
    {"ConvNorm", "conv 16\nbatch-norm\nglobal-average-pool\ndense classes", {6, 5, 8}},
    {"NormFirst", "batch-norm\nconv 5\nglobal-average-pool\ndense classes", {4, 4, 3}},
    {"ReluAlone", "batch-norm\nglobal-average-pool\nrelu\ndense classes", {4, 4, 5}},
    {"MaxPool", "conv 5\nmax-pool\ndense classes", {6, 6, 3}},
    {"MaxPoolOverlapping", "conv 17\nmax-pool size=3 stride=2 padding=1\ndense classes", {7, 7, 3}},
    {"MaxPoolGaps", "conv 4\nmax-pool size=2 stride=3\ndense classes", {8, 8, 3}},
    {"MaxPoolFirst", "max-pool\nconv 5\ndense classes", {6, 6, 3}},
    {"DropoutOfNothing", "conv 5\ndropout 0\ndense classes", {4, 4, 3}},
    {"DropoutAlone", "conv 5\ndropout 0.4\ndense classes", {5, 3, 3}},
    {"DropoutBetween",
     "conv 6\nrelu\ndropout 0.25\nconv 6\nbatch-norm\nrelu\nglobal-average-pool\n"
     "dropout 0.5\ndense classes",
     {5, 5, 2}},
    {"ResidualIdentity",
     "conv 6\nrelu\nresidual\nconv 6\nbatch-norm\nend\nrelu\nglobal-average-pool\ndense classes",
     {6, 6, 2}},
    {"ResidualSubsamplePad",
     "conv 4\nrelu\nresidual\nconv 8 stride=2\nbatch-norm\nrelu\nconv 8\nbatch-norm\nshortcut\n"
     "subsample-pad 8\nend\nrelu\nglobal-average-pool\ndense classes",
     {7, 7, 2}},
    {"ResidualProjection",
     "conv 4\nrelu\nresidual\nconv 8 stride=2\nbatch-norm\nshortcut\nconv 8 kernel=1 stride=2\n"
     "batch-norm\nend\nglobal-average-pool\ndense classes",
     {6, 6, 3}},
    {"ResidualWithoutNorm",
     "conv 6\nresidual\nconv 6\nrelu\nend\nrelu\nglobal-average-pool\ndense classes",
     {6, 6, 2}},
    {"ResidualPreActivation",
     "conv 6\nresidual\nbatch-norm\nrelu\nconv 6\nend\nglobal-average-pool\ndense classes",
     {6, 6, 2}},
    {"ResidualOfOnlyNorm",
     "conv 6\nresidual\nbatch-norm\nend\nglobal-average-pool\ndense classes",
     {4, 4, 2}},
    {"ResidualEmpty", "conv 6\nresidual\nend\ndense classes", {4, 4, 2}},
    {"ResidualNested",
     "conv 6\nresidual\nresidual\nconv 6\nbatch-norm\nend\nrelu\nconv 6\nend\nrelu\n"
     "global-average-pool\ndense classes",
     {6, 6, 2}},
    {"OneImage", "conv 5\nbatch-norm\nrelu\nglobal-average-pool\ndense classes", {6, 6, 3}, 1},
};

class Layers : public OnTestedEngine<testing::TestWithParam<LayersCase>> {
 protected:
  const ModelDescription model = parse_model(GetParam().text, GetParam().name, GetParam().input, 4);
  const std::vector<float> state = random_state(model, 1);
  const std::vector<double> exact{state.begin(), state.end()};
  const TestBatch batch{model, GetParam().images, 2};

  std::unique_ptr<Engine> engine(Precision precision) const {
    auto engine = tested_engine(model, {.batch_size = GetParam().images, .precision = precision});
    engine->set_state(state);
    return engine;
  }
};

TEST_P(Layers, ForwardAgreesWithTheDefinitions) {
  const auto tested = engine(Precision::fp32);
  const std::vector<float> logits = tested->logits(batch.images);
  const ReferenceLoss expected = reference_loss(model, exact, batch.view(), false);
  ASSERT_EQ(logits.size(), expected.logits.size());
  for (std::size_t i = 0; i < logits.size(); ++i) {
    EXPECT_NEAR(logits[i], expected.logits[i], kTolerance * (1 + std::abs(expected.logits[i])));
  }
  EXPECT_NEAR(tested->evaluate(batch.view()).sum, expected.sum, kTolerance * (1 + expected.sum));
}

TEST_P(Layers, GradientAgreesWithDifferences) {
  const auto tested = engine(Precision::fp32);
  std::vector<float> gradient(trained_size(model));
  const Loss loss = tested->gradient(batch.view(), {}, gradient);
  const double expected_loss = reference_loss(model, exact, batch.view(), true).sum;
  EXPECT_NEAR(loss.sum, expected_loss, kTolerance * (1 + expected_loss));
  double largest = 1e-3;
  for (const float g : gradient) largest = std::max(largest, std::abs(double{g}));
  // At most about twenty of each tensor's values.
  std::size_t first = 0;
  for (const TensorInfo& tensor : tensors_of(model)) {
    if (tensor.role == TensorRole::running) break;
    for (std::size_t i = 0; i < tensor.size(); i += 1 + tensor.size() / 20) {
      const double expected = reference_derivative(model, exact, batch.view(), first + i);
      EXPECT_NEAR(gradient[first + i], expected, kTolerance * largest) << tensor.name << " " << i;
    }
    first += tensor.size();
  }
}

// bfloat16 has 8 bits of mantissa: the gradient points the same way to within a few degrees.
TEST_P(Layers, Bfloat16PointsTheSameWay) {
  std::vector<float> exact_gradient(trained_size(model)), rounded_gradient(trained_size(model));
  const Loss loss = engine(Precision::fp32)->gradient(batch.view(), {}, exact_gradient);
  const Loss rounded = engine(Precision::bf16)->gradient(batch.view(), {}, rounded_gradient);
  EXPECT_NEAR(rounded.sum, loss.sum, 0.05 * (1 + loss.sum));
  double product = 0, square = 0, rounded_square = 0;
  for (std::size_t i = 0; i < exact_gradient.size(); ++i) {
    product += double{exact_gradient[i]} * double{rounded_gradient[i]};
    square += double{exact_gradient[i]} * double{exact_gradient[i]};
    rounded_square += double{rounded_gradient[i]} * double{rounded_gradient[i]};
  }
  EXPECT_GT(product / std::sqrt(square * rounded_square), 0.99);
  EXPECT_NE(exact_gradient, rounded_gradient);
}

INSTANTIATE_TEST_SUITE_P(Models, Layers, testing::ValuesIn(kLayersCases),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace spottrain::cuda
