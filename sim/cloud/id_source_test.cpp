#include "sim/cloud/id_source.h"

#include <gtest/gtest.h>

#include <regex>

namespace sim::cloud {
namespace {

bool matches(const std::string& text, const char* form) {
  return std::regex_match(text, std::regex{form});
}

TEST(Ids, LookLikeAwss) {
  IdSource ids{Streams{7}};
  EXPECT_TRUE(matches(ids.instance().value, "i-0[0-9a-f]{16}"));
  EXPECT_TRUE(matches(ids.volume().value, "vol-0[0-9a-f]{16}"));
  EXPECT_TRUE(matches(ids.snapshot().value, "snap-0[0-9a-f]{16}"));
  EXPECT_TRUE(matches(ids.spot_request().value, "sir-[0-9a-z]{8}"));
  for (int i = 0; i < 100; ++i)
    EXPECT_TRUE(matches(ids.fleet().value,
                        "sfr-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"));
}

TEST(Ids, AreAFunctionOfTheSeedAndDoNotMoveEachOther) {
  IdSource one{Streams{7}}, other{Streams{7}}, third{Streams{8}};
  one.volume();
  one.fleet();
  const InstanceId id = one.instance();
  EXPECT_EQ(id, other.instance());
  EXPECT_NE(id, third.instance());
}

TEST(Ids, AreGivenOnce) {
  IdSource ids{Streams{7}};
  std::set<std::string> seen;
  for (int i = 0; i < 20'000; ++i) EXPECT_TRUE(seen.insert(ids.spot_request().value).second);
}

}  // namespace
}  // namespace sim::cloud
