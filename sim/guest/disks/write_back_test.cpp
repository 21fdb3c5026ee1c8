// How file systems are mounted so that nothing of theirs happens in real time.
#include "sim/guest/disks/write_back.h"

#include <gtest/gtest.h>

namespace sim::guest {
namespace {

TEST(WithoutTimer, Ext4NeitherCommitsNorZeroesInodeTablesByItself) {
  const TimelessMount made = without_timer({.filesystem = "ext4", .options = "noatime,commit=30"});
  EXPECT_EQ(made.call.options, "noatime,noinit_itable,commit=1000000");
  EXPECT_EQ(made.commit, Duration{30s});
  EXPECT_EQ(without_timer({.filesystem = "xfs"}).call.options, "");
}

}  // namespace
}  // namespace sim::guest
