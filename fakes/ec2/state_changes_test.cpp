// TerminateInstances, StopInstances, StartInstances and RebootInstances.
#include <gtest/gtest.h>

#include "fakes/backend_for_test.h"

namespace fakes {
namespace {

TEST(Ec2StateChanges, NeedInstances) {
  TestBackend t;
  for (const char* action :
       {"RebootInstances", "StartInstances", "StopInstances", "TerminateInstances"}) {
    const Answer refused = t.ec2(action);
    EXPECT_EQ(refused.code(), "InvalidParameterCombination") << action;
    EXPECT_EQ(refused.message(), "No instances specified") << action;
  }
}

}  // namespace
}  // namespace fakes
