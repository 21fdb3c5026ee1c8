#include "sim/cloud/states.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

namespace sim::cloud {
namespace {

TEST(States, NamesAndCodesAreEc2s) {
  EXPECT_EQ(name(InstanceState::kShuttingDown), "shutting-down");
  EXPECT_EQ(name(VolumeState::kInUse), "in-use");
  EXPECT_EQ(name(AttachmentState::kBusy), "busy");
  EXPECT_EQ(name(SnapshotState::kCompleted), "completed");
  EXPECT_EQ(name(SpotRequestState::kDisabled), "disabled");
  EXPECT_EQ(name(FleetState::kCancelledTerminating), "cancelled_terminating");
  EXPECT_EQ(code(InstanceState::kPending), 0);
  EXPECT_EQ(code(InstanceState::kShuttingDown), 32);
  EXPECT_EQ(code(InstanceState::kTerminated), 48);
  EXPECT_EQ(code(InstanceState::kStopped), 80);
}

TEST(States, EveryStateIsReachedFromCreation) {
  std::map<std::string_view, std::set<std::string_view>> reached, all;
  for (const Transition& t : transitions()) {
    reached[t.resource].insert("");
    all[t.resource].insert(t.from);
    all[t.resource].insert(t.to);
  }
  for (std::size_t round = 0; round < transitions().size(); ++round)
    for (const Transition& t : transitions())
      if (reached[t.resource].contains(t.from)) reached[t.resource].insert(t.to);
  EXPECT_EQ(reached, all);
}

TEST(States, NothingLeavesATerminalState) {
  for (const auto& [resource, state] :
       std::initializer_list<std::pair<const char*, const char*>>{{"instance", "terminated"},
                                                                  {"volume", "deleted"},
                                                                  {"attachment", "detached"},
                                                                  {"snapshot", "deleted"},
                                                                  {"spot-request", "closed"},
                                                                  {"fleet", "cancelled"}})
    for (const Transition& t : transitions())
      EXPECT_FALSE(t.resource == resource && t.from == state) << resource << " " << t.to;
}

TEST(States, AStepThatIsNotInTheTableIsNotAllowed) {
  EXPECT_TRUE(allowed("volume", "available", "in-use"));
  EXPECT_FALSE(allowed("volume", "in-use", "deleting"));
  EXPECT_FALSE(allowed("instance", "terminated", "running"));
  EXPECT_FALSE(allowed("snapshot", "creating", "available"));
}

}  // namespace
}  // namespace sim::cloud
