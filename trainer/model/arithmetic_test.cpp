#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "trainer/model/network.h"
#include "trainer/model/portable_math.h"
#include "trainer/model/schedule.h"
#include "trainer/model/sgd.h"
#include "trainer/model/softmax_loss.h"

namespace spottrain {
namespace {

TEST(PortableMath, AgreesWithTheLibrary) {
  for (double x = -700; x < 700; x += 0.37) {
    EXPECT_NEAR(portable_exp(x) / std::exp(x), 1, 1e-13) << x;
  }
  for (double x = 1e-300; x < 1e300; x *= 3.7) {
    EXPECT_NEAR(portable_log(x), std::log(x), 1e-13 * (1 + std::abs(std::log(x)))) << x;
  }
  EXPECT_EQ(portable_exp(0), 1);
  EXPECT_EQ(portable_log(1), 0);
  EXPECT_EQ(portable_exp(-1000), 0);
  EXPECT_TRUE(std::isinf(portable_exp(1000)));
  EXPECT_TRUE(std::isnan(portable_exp(std::nan(""))));
  EXPECT_TRUE(std::isnan(portable_log(std::nan(""))));
  EXPECT_TRUE(std::isnan(portable_log(-1)));
}

TEST(Softmax, HugeOutputsDoNotOverflow) {
  std::vector<float> outputs(kClasses, -3e38f), gradient;
  outputs[2] = 3e38f;
  const Loss right = softmax_cross_entropy(outputs, std::vector<int>{2}, 1, gradient);
  EXPECT_EQ(right.sum, 0);
  EXPECT_EQ(right.correct, 1);
  for (const float value : gradient) EXPECT_EQ(value, 0);
}

TEST(Sgd, FollowsPyTorchsDefinition) {
  std::vector<float> weights{2}, velocity{4};
  const std::vector<float> gradient{1};
  sgd_step({.learning_rate = 0.25f, .momentum = 0.5f, .weight_decay = 0.5f}, gradient, velocity,
           weights);
  EXPECT_EQ(velocity[0], 4);  // 0.5 × 4 + (1 + 0.5 × 2)
  EXPECT_EQ(weights[0], 1);   // 2 − 0.25 × 4
}

TEST(Schedule, StepsDownAfterEveryFewEpochs) {
  const Schedule steps("step:3:0.5");
  EXPECT_EQ(steps.rate(0.8, 0), 0.8);
  EXPECT_EQ(steps.rate(0.8, 2), 0.8);
  EXPECT_EQ(steps.rate(0.8, 3), 0.4);
  EXPECT_EQ(steps.rate(0.8, 6), 0.2);
  EXPECT_EQ(Schedule("constant").rate(0.8, 1000), 0.8);
}

TEST(Schedule, ErrorsSayWhatWasExpected) {
  for (const char* bad :
       {"", "linear", "step", "step:0:0.5", "step:3", "step:3:2", "step:3:0.5x"}) {
    EXPECT_THROW(Schedule{bad}, std::invalid_argument) << bad;
  }
}

TEST(Network, InitialParametersDependOnTheSeedOnly) {
  const Network network = make_small_cnn();
  EXPECT_EQ(network.initial_parameters(1), make_small_cnn().initial_parameters(1));
  EXPECT_NE(network.initial_parameters(1), network.initial_parameters(2));
  std::size_t count = 0;
  for (const ParameterShape& parameter : network.parameters()) count += parameter.size();
  EXPECT_EQ(count, network.parameter_count());
}

}  // namespace
}  // namespace spottrain
