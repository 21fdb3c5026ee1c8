#include "base/text/nearest.h"

#include <gtest/gtest.h>

namespace base {
namespace {

const std::set<std::string> kKeys{"deadline", "name", "seed", "trainer"};

TEST(Nearest, IsTheOneOfFewestEdits) {
  EXPECT_EQ(nearest("sead", kKeys), "seed");
  EXPECT_EQ(nearest("trianer", kKeys), "trainer");
  EXPECT_EQ(nearest("dead_line", kKeys), "deadline");
}

TEST(Nearest, IsNoneWhereAllAreFar) {
  EXPECT_FALSE(nearest("volume", kKeys));
  EXPECT_FALSE(nearest("seed", {}));
  EXPECT_FALSE(nearest(std::string(41, 's'), {std::string(41, 's')}));
}

}  // namespace
}  // namespace base
