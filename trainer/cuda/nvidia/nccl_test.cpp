// The functions of NCCL that work without a GPU: it is found, and it names gangs.
#include <gtest/gtest.h>

#include "trainer/cuda/collective.h"

namespace spottrain::cuda {
namespace {

TEST(Nccl, IsLoadedAndNamesEveryGangDifferently) {
  const std::string reason = why_no_gangs();
  if (!reason.empty()) GTEST_SKIP() << reason;
  EXPECT_NE(new_gang_id(), new_gang_id());
}

}  // namespace
}  // namespace spottrain::cuda
