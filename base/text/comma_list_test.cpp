#include "base/text/comma_list.h"

#include <gtest/gtest.h>

namespace base {
namespace {

using Texts = std::vector<std::string>;

TEST(CommaList, HasItsPartsWithoutBlanksAndEmptyOnes) {
  EXPECT_EQ(split_comma_list("us-west-2a, us-west-2b"), (Texts{"us-west-2a", "us-west-2b"}));
  EXPECT_EQ(split_comma_list("subnet-1"), Texts{"subnet-1"});
  EXPECT_EQ(split_comma_list(" a ,,b c,"), (Texts{"a", "b c"}));
  EXPECT_EQ(split_comma_list(""), Texts{});
  EXPECT_EQ(split_comma_list(" , "), Texts{});
}

}  // namespace
}  // namespace base
