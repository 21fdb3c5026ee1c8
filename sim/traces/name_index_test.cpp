#include "sim/traces/name_index.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sim::traces {
namespace {

TEST(NameIndex, NumbersNamesInTheOrderOfTheirComing) {
  std::vector<std::string> names;
  for (int i = 0; i < 10'000; ++i) names.push_back("pool-" + std::to_string(i * 7919 % 10'007));
  NameIndex index;
  for (int round = 0; round < 2; ++round)
    for (std::size_t i = 0; i < names.size(); ++i) ASSERT_EQ(index.number_of(names[i]), i);
  EXPECT_EQ(index.size(), names.size());
  EXPECT_EQ(index.number_of(""), names.size());
}

}  // namespace
}  // namespace sim::traces
