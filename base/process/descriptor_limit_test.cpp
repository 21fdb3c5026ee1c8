#include "base/process/descriptor_limit.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>

namespace base {
namespace {

rlimit limit() {
  rlimit out{};
  getrlimit(RLIMIT_NOFILE, &out);
  return out;
}

TEST(DescriptorLimit, IsTheHardOneAndForOtherProgramsTheUsualOne) {
  const rlimit before = limit();
  raise_descriptor_limit();
  EXPECT_EQ(limit().rlim_cur, before.rlim_max);
  set_usual_descriptor_limit();
  EXPECT_EQ(limit().rlim_cur, std::min<rlim_t>(1024, before.rlim_max));
  EXPECT_EQ(limit().rlim_max, before.rlim_max);
  setrlimit(RLIMIT_NOFILE, &before);
}

}  // namespace
}  // namespace base
