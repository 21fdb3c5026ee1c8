#include "policies/checkpoint/words.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace policies {
namespace {

using Words = std::vector<std::string>;
using Parts = std::vector<std::string_view>;

TEST(Words, AreReadAsAShellReadsThem) {
  EXPECT_EQ(split_words("python3  policy.py\t--bound 0.1 "),
            (Words{"python3", "policy.py", "--bound", "0.1"}));
  EXPECT_EQ(split_words(R"('a b' "c \"d\" 'e'" f\ g '' h'i'"j")"),
            (Words{"a b", "c \"d\" 'e'", "f g", "", "hij"}));
  EXPECT_EQ(split_words(R"('a\b' "a\\b" a\\b)"), (Words{"a\\b", "a\\b", "a\\b"}));
  EXPECT_TRUE(split_words("  ").empty());
  EXPECT_THROW(split_words("a 'b"), std::invalid_argument);
  EXPECT_THROW(split_words("a \"b'"), std::invalid_argument);
}

TEST(Words, JoinedAreReadBack) {
  const Words words{"./a program", "it's", "", "a,b", "\"", "\\", "x"};
  EXPECT_EQ(split_words(join_words(words)), words);
  EXPECT_EQ(split_list(join_words(words)).size(), 1u);
}

TEST(Words, CommasInQuotesPartNothing) {
  EXPECT_EQ(split_list("epoch,command:a 'b,c',none"), (Parts{"epoch", "command:a 'b,c'", "none"}));
  EXPECT_EQ(split_list(R"(a\,b,"c,",)"), (Parts{R"(a\,b)", "\"c,\"", ""}));
  EXPECT_EQ(split_list(""), (Parts{""}));
}

}  // namespace
}  // namespace policies
