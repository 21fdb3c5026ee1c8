#include "sim/guest/network/lines.h"

#include <gtest/gtest.h>

namespace sim::guest {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr Time kNow{std::chrono::seconds{1'000}};
constexpr NetworkPath kPath{milliseconds{2}, 1'000'000};  // a byte a microsecond
constexpr std::int64_t kInstance = 2'000'000;

struct Lines {
  Time send(Time now, std::int64_t bytes) {
    return arrival(now, bytes, kPath, kInstance, sender.out, connection, receiver.in);
  }
  InstanceLines sender, receiver;
  Line connection;
};

TEST(NetworkLines, AByteTakesHalfARoundTripAndItsOwnTime) {
  EXPECT_EQ(Lines().send(kNow, 0) - kNow, milliseconds{1});
  EXPECT_EQ(Lines().send(kNow, 500) - kNow, milliseconds{1} + microseconds{500});
}

TEST(NetworkLines, PiecesOfAConnectionFollowOneAnother) {
  Lines l;
  l.send(kNow, 500);
  EXPECT_EQ(l.send(kNow, 500) - kNow, milliseconds{1} + microseconds{1000});
  EXPECT_EQ(l.send(kNow + milliseconds{9}, 500) - kNow, milliseconds{10} + microseconds{500});
}

// No fraction of a nanosecond is lost: at 3 bytes per second, three bytes take one second.
TEST(NetworkLines, ManySmallPiecesTakeAsLongAsOneLargeOne) {
  Line line;
  Time last = kNow;
  for (int i = 0; i < 300; ++i) last = line.pass(kNow, 1, 3);
  EXPECT_EQ(last - kNow, std::chrono::seconds{100});
}

TEST(NetworkLines, ConnectionsShareAnInstancesBandwidth) {
  Lines l;
  Line second, third, fourth;
  const auto by = [&](Line& connection) {
    return arrival(kNow, 1000, kPath, kInstance, l.sender.out, connection, l.receiver.in) - kNow -
           milliseconds{1};
  };
  l.send(kNow, 1000);
  EXPECT_EQ(by(second), microseconds{1500});  // begins when the first has passed, at 500
  EXPECT_EQ(by(third), microseconds{2000});
  EXPECT_EQ(by(fourth), microseconds{2500});
}

TEST(NetworkLines, SendersShareTheReceiversBandwidth) {
  InstanceLines receiver;
  Time last = kNow;
  for (int i = 0; i < 4; ++i) {
    Lines l;
    last = arrival(kNow, 1000, kPath, kInstance, l.sender.out, l.connection, receiver.in);
  }
  EXPECT_EQ(last - kNow, milliseconds{1} + microseconds{2000});
}

}  // namespace
}  // namespace sim::guest
