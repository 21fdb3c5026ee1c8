#include "trainer/model/portable_math.h"

#include <gtest/gtest.h>

#include <cmath>

namespace spottrain {
namespace {

TEST(PortableMath, AgreesWithTheLibrary) {
  for (double x = -700; x < 700; x += 0.37) {
    EXPECT_NEAR(portable_exp(x) / std::exp(x), 1, 1e-13) << x;
  }
  for (double x = 1e-300; x < 1e300; x *= 3.7) {
    EXPECT_NEAR(portable_log(x), std::log(x), 1e-13 * (1 + std::abs(std::log(x)))) << x;
  }
  for (double x = 0; x <= 1; x += 1.0 / 512) {
    EXPECT_NEAR(portable_cos_pi(x), std::cos(x * 3.14159265358979323846), 1e-15) << x;
  }
  EXPECT_EQ(portable_cos_pi(0), 1);
  EXPECT_EQ(portable_exp(0), 1);
  EXPECT_EQ(portable_log(1), 0);
  EXPECT_EQ(portable_exp(-1000), 0);
  EXPECT_TRUE(std::isinf(portable_exp(1000)));
  EXPECT_TRUE(std::isnan(portable_exp(std::nan(""))));
  EXPECT_TRUE(std::isnan(portable_log(std::nan(""))));
  EXPECT_TRUE(std::isnan(portable_log(-1)));
}

}  // namespace
}  // namespace spottrain
