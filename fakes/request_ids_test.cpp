#include "fakes/request_ids.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace fakes {
namespace {

TEST(RequestIds, AreUuidsOfVersion4WithTheDigitsOfTwoDraws) {
  const sim::Streams streams(7);
  RequestIds ids(streams.stream("request-id", "operator"));
  sim::Stream draws = streams.stream("request-id", "operator");
  for (int i = 0; i < 100; ++i) {
    const auto a = draws.next(), b = draws.next();
    EXPECT_EQ(ids.next(),
              fmt::format("{:08x}-{:04x}-4{:03x}-a{:03x}-{:012x}", a >> 32, a >> 16 & 0xffff,
                          a & 0xfff, b >> 48 & 0xfff, b & 0xffff'ffff'ffff));
  }
}

}  // namespace
}  // namespace fakes
