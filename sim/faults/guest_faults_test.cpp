// The effects of faults on guests.
#include "sim/faults/kinds_for_test.h"

namespace sim::faults {
namespace {

TEST_F(Kinds, AGuestsFaultGoesToItsInstance) {
  const std::string first = w.instance();
  w.instance();
  strike("damage-file",
         {{"path", "/data/*.h5"}, {"how", "flipped"}, {"byte", "7"}, {"instance", "1"}});
  ASSERT_EQ(w.guests.inflicted.size(), 1U);
  const auto& [instance, damage] = w.guests.inflicted[0];
  EXPECT_EQ(instance, first);
  EXPECT_EQ(damage.what, guest::GuestFault::What::kDamage);
  EXPECT_EQ(damage.path, "/data/*.h5");
  EXPECT_EQ(damage.damage, guest::GuestFault::Damage::kFlipped);
  EXPECT_EQ(damage.byte, 7);
}

TEST_F(Kinds, EachGuestsKindIsHandedOver) {
  using What = guest::GuestFault::What;
  const std::string id = w.instance();
  w.play({fault(AtTime{1s}, "trainer-crash"), fault(AtTime{2s}, "out-of-memory"),
          fault(AtTime{3s}, "trainer-hang"), fault(AtTime{4s}, "bad-memory"),
          fault(AtTime{5s}, "disk-full", {{"for", "3m"}}), fault(AtTime{6s}, "read-only"),
          fault(AtTime{7s}, "disk-errors"),
          fault(AtTime{8s}, "clock-skew", {{"by", "2m"}, {"direction", "behind"}}),
          fault(AtTime{9s}, "pause-volume-io", {{"for", "90s"}}),
          fault(AtTime{10s}, "slow-restore", {{"factor", "4"}, {"times", "2"}}),
          fault(AtTime{11s}, "code-unreachable")});
  w.pass(12s);
  const What whats[] = {What::kCrash,       What::kOutOfMemory,    What::kHang,
                        What::kBadMemory,   What::kDiskFull,       What::kReadOnly,
                        What::kDiskErrors,  What::kClockSkew,      What::kPausedIo,
                        What::kSlowRestore, What::kCodeUnreachable};
  ASSERT_EQ(w.guests.inflicted.size(), std::size(whats));
  for (std::size_t i = 0; i < std::size(whats); ++i) {
    EXPECT_EQ(w.guests.inflicted[i].second.what, whats[i]) << i;
    const bool of_all = i >= 9;
    EXPECT_EQ(w.guests.inflicted[i].first, of_all ? "" : id) << i;
  }
  EXPECT_EQ(w.guests.inflicted[0].second.program, "") << "the host looks for it";
  EXPECT_EQ(w.guests.inflicted[4].second.lasts, 3min);
  EXPECT_EQ(w.guests.inflicted[7].second.skew, -2min);
  EXPECT_EQ(w.guests.inflicted[8].second.lasts, 90s);
  EXPECT_EQ(w.guests.inflicted[9].second.factor, 4);
  EXPECT_EQ(w.guests.inflicted[9].second.times, 2);
}

// The scenario and the log determine the trainer's program, folder and newest checkpoint.
TEST_F(Kinds, FindTheTrainersFilesWithoutAName) {
  const std::string id = w.instance();
  w.play({fault(AtTime{10s}, "trainer-crash"), fault(AtTime{10s}, "torn-write", {{"bytes", "64"}}),
          fault(AtTime{30s}, "torn-write"), fault(AtTime{30s}, "damage-file", {{"path", "any"}})});
  EXPECT_TRUE(w.guests.watching);
  w.pass(20s);
  EXPECT_TRUE(w.guests.cuts.empty()) << "nobody has said where checkpoints go";
  w.log.append(w.simulation.now(), "trainer.checkpoint-durable",
               {{"instance_id", id}, {"step", 5}, {"path", "/data/ck/5.bin"}});
  w.pass(20s);
  ASSERT_EQ(w.guests.inflicted.size(), 2U);
  EXPECT_EQ(w.guests.inflicted[0].second.program, "");
  EXPECT_EQ(w.guests.inflicted[1].second.path, "/data/ck/5.bin");
  ASSERT_EQ(w.guests.cuts.size(), 1U);
  EXPECT_EQ(w.guests.cuts[0].second.path, "/data/ck/*.bin*");
  EXPECT_EQ(w.guests.cuts[0].second.bytes, 1);
  w.guests.cuts[0].second.cut();
  EXPECT_EQ(w.state(cloud::InstanceId{id}), InstanceState::kShuttingDown);
}

TEST_F(Kinds, TheScenariosTrainerIsKnownFromTheStart) {
  w.instance();
  w.job = {.trainer = "python", .files = "/data/ck/*.h5", .folder = {}, .checkpoint = {}};
  w.play({fault(AtTime{10s}, "trainer-crash"), fault(AtTime{10s}, "torn-write"),
          fault(AtTime{11s}, "torn-write", {{"again", "true"}})});
  w.pass(20s);
  ASSERT_EQ(w.guests.inflicted.size(), 1U);
  EXPECT_EQ(w.guests.inflicted[0].second.program, "python");
  ASSERT_EQ(w.guests.cuts.size(), 2U);
  EXPECT_EQ(w.guests.cuts[0].second.path, "/data/ck/*.h5");
  EXPECT_FALSE(w.guests.cuts[0].second.again);
  EXPECT_TRUE(w.guests.cuts[1].second.again);
}

}  // namespace
}  // namespace sim::faults
